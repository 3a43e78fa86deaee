import { useQuery } from "@tanstack/react-query";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cartQuery } from "~/shared/cart/queries";
import { begin, end } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { aCart } from "~/testing/shop/a-cart";
import { aPlacement, aQuote } from "~/testing/shop/a-placement";
import { showPage } from "~/testing/show";
import type { Quote } from "../types";
import { CheckoutForm } from "./form";

const FIRST = aCart({
  payment: { gateway: "ACH_COD", type: "COD", methodId: null, amount: null },
  shippingMethods: ["Ground", "Air"].map((name) => ({
    id: name,
    name,
    price: { amount: 10, currency: "USD" },
    freeFrom: null,
    isPickUp: false,
  })),
});

const CHANGED = Response.json({ code: "quote_changed", detail: "Changed." }, { status: 409 });

beforeEach(() => begin(aPerson(), "token"));
afterEach(() => {
  end();
  vi.restoreAllMocks();
});

/** The form of a cart at a server whose cart and quote are what `change` made of them; returns which hashes orders named. */
async function filling() {
  let [cart, quote] = [FIRST, aQuote()];
  let refuses = false;
  let quoting: Promise<void> | undefined;
  const placed: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) => {
    const request = asked as Request;
    const { pathname } = new URL(request.url);
    if (pathname.endsWith("/mock")) {
      await quoting;
      return Response.json(quote);
    }
    if (pathname === `/api/products-checkout/${FIRST.token}`) return Response.json(cart);
    if (pathname === `/v1/placements/${FIRST.token}`) return Response.json(null);
    if (pathname.endsWith("/update-shipping-method")) {
      change({ total: quote.total + 10 }, 1);
      return Response.json(cart);
    }
    if (!pathname.endsWith("/complete-b2b-checkout")) return new Promise<Response>(() => undefined);
    placed.push((await request.json()).quoteHash);
    if (!refuses) return Response.json({ order: null, placement: aPlacement() });
    refuses = false;
    return CHANGED.clone();
  });

  function change(more: Partial<Quote>, revs = 0): void {
    quote = { ...quote, figures_hash: `${quote.figures_hash}'`, ...more };
    cart = { ...cart, rev: cart.rev + revs };
  }

  /** Elsewhere something has changed, which the next order is refused for. */
  function refuse(more: Partial<Quote>, revs = 0): void {
    change(more, revs);
    refuses = true;
  }

  /** No quote is answered until what it returns is called. */
  function holdQuotes(): () => void {
    let answer = () => {};
    quoting = new Promise((resolve) => {
      answer = resolve;
    });
    return () => answer();
  }

  await showPage(<Page />);
  await waitFor(() => expect(place()).toBeEnabled());
  return { placed, refuse, holdQuotes };
}

function Page() {
  const { data } = useQuery(cartQuery(FIRST.token));
  return data ? <CheckoutForm cart={data} last={null} /> : null;
}

const quotesAsked = () =>
  vi.mocked(fetch).mock.calls.filter(([asked]) => (asked as Request).url.endsWith("/mock")).length;

const place = () => screen.getByRole("button", { name: "Place order" });
const changes = () => screen.queryByRole("region", { name: "Changes since you looked" });

test.each([
  ["the same cart", 0],
  ["a cart that was changed elsewhere", 1],
])("another total of %s is told, and is ordered after a yes", async (_, revs) => {
  const { placed, refuse } = await filling();
  refuse({ total: 54, coupon: null }, revs);
  fireEvent.click(place());
  expect(await screen.findByText("$54.00 instead of $50.73")).toBeVisible();
  await waitFor(() => expect(place()).not.toHaveAttribute("data-loading"));
  expect(place()).toBeDisabled();
  fireEvent.click(screen.getByRole("button", { name: "Yes, order it like this" }));
  await waitFor(() => expect(place()).toBeEnabled());
  expect(screen.queryByText(/Prices or stock have changed/)).toBeNull();
  fireEvent.click(place());
  await waitFor(() => expect(placed).toEqual(["figures-1", "figures-1'"]));
});

test("an order that is refused for what is not in its figures says so", async () => {
  const { refuse } = await filling();
  refuse({}, 1);
  fireEvent.click(place());
  expect(await screen.findByText(/Prices or stock have changed/)).toBeVisible();
  expect(changes()).toBeNull();
  await waitFor(() => expect(place()).toBeEnabled());
});

test("the total that one's own choice makes needs no yes", async () => {
  const { placed } = await filling();
  fireEvent.click(screen.getByRole("radio", { name: /Air/ }));
  expect((await screen.findAllByText("$60.73")).length).toBeGreaterThan(0);
  await waitFor(() => expect(place()).toBeEnabled());
  expect(changes()).toBeNull();
  fireEvent.click(place());
  await waitFor(() => expect(placed).toEqual(["figures-1'"]));
});

test("a choice takes no other total for one's own", async () => {
  const { refuse } = await filling();
  refuse({ total: 54 });
  fireEvent.click(place());
  expect(await screen.findByText("$54.00 instead of $50.73")).toBeVisible();
  fireEvent.click(screen.getByRole("radio", { name: /Air/ }));
  expect(await screen.findByText("$64.00 instead of $50.73")).toBeVisible();
});

test("a yes can be said once the figures of one's own choice are there", async () => {
  const { placed, refuse, holdQuotes } = await filling();
  refuse({ total: 54 });
  fireEvent.click(place());
  await screen.findByText("$54.00 instead of $50.73");
  const yes = screen.getByRole("button", { name: "Yes, order it like this" });
  await waitFor(() => expect(yes).toBeEnabled());
  const answer = holdQuotes();
  const before = quotesAsked();
  fireEvent.click(screen.getByRole("radio", { name: /Air/ }));
  await waitFor(() => expect(quotesAsked()).toBe(before + 1));
  expect(yes).toBeDisabled();
  answer();
  expect(await screen.findByText("$64.00 instead of $50.73")).toBeVisible();
  fireEvent.click(screen.getByRole("button", { name: "Yes, order it like this" }));
  await waitFor(() => expect(place()).toBeEnabled());
  fireEvent.click(place());
  await waitFor(() => expect(placed).toEqual(["figures-1", "figures-1''"]));
});
