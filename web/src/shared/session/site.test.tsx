import { screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { show } from "~/testing/show";
import { useSiteLabel } from "./site";
import { useSiteCountry } from "./site-country";

afterEach(() => vi.restoreAllMocks());

function Named() {
  return `${useSiteLabel()} in ${useSiteCountry()}`;
}

test("a site is called what its server says, wherever it is reached", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () =>
    Response.json({ label: "Harbour USA", country: "US" }),
  );
  show(<Named />);
  await screen.findByText("Harbour USA in US");
});

test("until it has answered, its host says so", () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(() => new Promise(() => undefined));
  show(<Named />);
  expect(screen.getByText("Turnkey Canada in CA")).toBeVisible();
});
