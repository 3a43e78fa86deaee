import { screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { showPage } from "~/testing/show";
import { GuestScreen } from "./guest-screen";

afterEach(() => vi.restoreAllMocks());

test("a link that is over says of no payment that nothing was charged", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () =>
    Response.json(
      { status: 410, code: "pay_link_void", detail: "This link is no longer valid." },
      { status: 410, headers: { "Content-Type": "application/problem+json" } },
    ),
  );
  await showPage(<GuestScreen token="t" />);
  expect(
    await screen.findByRole("heading", { name: "This link is no longer valid" }),
  ).toBeVisible();
  expect(screen.getByText(/your payment goes on/)).toBeVisible();
  expect(screen.queryByText(/Nothing was charged/)).toBeNull();
});
