import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { aPlan } from "~/testing/a-plan";
import { aSubscription } from "~/testing/a-subscription";
import { showPage } from "~/testing/show";
import { RenewTogether } from "./renew-together";

afterEach(() => {
  vi.restoreAllMocks();
});

test("plans that cannot be fetched are asked for again, and nothing is said of their terms", async () => {
  const answers = [
    Response.json({ code: "unexpected", detail: "Unexpected" }, { status: 500 }),
    Response.json({ results: [aPlan()] }),
  ];
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => answers.shift() as Response);
  await showPage(<RenewTogether chosen={[aSubscription()]} onClose={vi.fn()} />);
  const again = await screen.findByRole("button", { name: /again/i });
  expect(screen.queryByText(/not sold for this term/)).toBeNull();
  await userEvent.click(again);
  expect(await screen.findByRole("radio", { name: /^1 year/ })).toBeVisible();
  expect(screen.queryByText(/not sold for this term/)).toBeNull();
});
