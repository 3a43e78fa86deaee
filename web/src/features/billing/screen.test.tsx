import { screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { begin, end } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { lookAgain } from "~/testing/look-again";
import { aCard } from "~/testing/shop/a-payment-method";
import { showPage } from "~/testing/show";
import { BillingScreen } from "./screen";

const METHODS = "/api/users-payment-methods";

afterEach(() => {
  end();
  vi.restoreAllMocks();
});

test("a look that fails is told above the saved cards, which stay", async () => {
  begin(aPerson({ is_owner: true, purchasing_rights: true, dealer_id: "d1" }), "t");
  const allowed = { cards: true, bank: true, cod: false, terms: false };
  let answer = () => Response.json({ results: [aCard()], allowed, creditAvailable: null });
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) =>
    new URL((asked as Request).url).pathname === METHODS
      ? answer()
      : new Promise<Response>(() => undefined),
  );
  await showPage(<BillingScreen />);
  const [card] = await screen.findAllByText(/4242/);
  answer = () => Response.json({}, { status: 500 }) as never;
  lookAgain();
  expect(await screen.findByRole("button", { name: "Try again" })).toBeVisible();
  expect(card).toBeVisible();
});
