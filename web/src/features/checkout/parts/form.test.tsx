import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Cart } from "~/shared/cart/queries";
import { begin, end } from "~/shared/session/session";
import { aCart } from "~/testing/a-cart";
import { aBankAccount, aCard } from "~/testing/a-payment-method";
import { aPerson } from "~/testing/a-person";
import { aQuote } from "~/testing/a-placement";
import { showPage } from "~/testing/show";
import { CheckoutForm } from "./form";

const MAIN = aBankAccount({ isMain: true });

/** A portal with these methods; returns what was written to the draft as the way to pay. */
function keeping(results = [MAIN]) {
  const written: unknown[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) => {
    const request = asked as Request;
    const { pathname } = new URL(request.url);
    if (pathname.endsWith("/users-payment-methods")) {
      const allowed = { cards: true, bank: true, cod: true, terms: false };
      return Response.json({ results, allowed, creditAvailable: null });
    }
    if (pathname.endsWith("/mock")) return Response.json(aQuote());
    if (!pathname.endsWith("/set-b2b-payment")) return new Response(null, { status: 404 });
    const body = await request.json();
    written.push(body);
    return Response.json(aCart({ rev: 2, payment: { ...body, shown: "" } }));
  });
  return written;
}

const shown = (payment: Cart["payment"]) =>
  showPage(<CheckoutForm cart={aCart({ payment })} last={null} />);

const byCard = (methodId: string) =>
  ({ gateway: "CARD", type: "CARD", methodId, amount: null, shown: null }) as const;

beforeEach(() => begin(aPerson({ purchasing_rights: true }), "token"));
afterEach(() => {
  end();
  vi.restoreAllMocks();
});

test.each([
  ["was deleted", [MAIN]],
  ["has expired", [MAIN, aCard({ id: "gone", isValid: false })]],
  ["is hidden", [MAIN, aCard({ id: "gone", isHidden: true })]],
])("where the chosen card %s, the default is shown and written once", async (_, results) => {
  const written = keeping(results);
  await shown(byCard("gone"));
  expect(await screen.findByRole("radio", { name: /Checking •••• 6789/ })).toBeChecked();
  await waitFor(() =>
    expect(written).toEqual([{ gateway: "ACH_COD", type: "BANK_ACCOUNT", methodId: "bank1" }]),
  );
  await act(async () => undefined);
  expect(written).toHaveLength(1);
});

test("a chosen card that pays stays, and nothing is written", async () => {
  const written = keeping([MAIN, aCard()]);
  await shown(byCard("card1"));
  expect(await screen.findByRole("radio", { name: /Visa •••• 4242/ })).toBeChecked();
  expect(written).toEqual([]);
});

test("a default that is hidden is not chosen", async () => {
  keeping([aBankAccount({ isMain: true, isHidden: true }), aCard()]);
  await shown(null);
  const radios = await screen.findAllByRole("radio", { name: /Visa|Checking|COD/ });
  expect(radios).toHaveLength(2);
  for (const radio of radios) expect(radio).not.toBeChecked();
  const place = await screen.findByRole("button", { name: /Place order/i });
  expect(place).toBeDisabled();
});
