import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { lookAgain } from "~/testing/look-again";
import { aPlan } from "~/testing/shop/a-plan";
import { aSubscription } from "~/testing/shop/a-subscription";
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

test("a look at the plans that fails is told beside them", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () =>
    Response.json({ results: [aPlan()] }),
  );
  await showPage(<RenewTogether chosen={[aSubscription()]} onClose={vi.fn()} />);
  await screen.findByRole("radio", { name: /^1 year/ });
  vi.mocked(fetch).mockImplementation(async () => Response.json({}, { status: 500 }));
  lookAgain();
  expect(await screen.findByRole("button", { name: /again/i })).toBeVisible();
  expect(screen.getByRole("radio", { name: /^1 year/ })).toBeVisible();
});
