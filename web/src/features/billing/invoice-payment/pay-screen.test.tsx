import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { begin } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { aCard } from "~/testing/shop/a-payment-method";
import { anInvoice } from "~/testing/shop/an-invoice";
import { showPage } from "~/testing/show";
import { deselect, select } from "../invoices/selection";
import { PayScreen } from "./pay-screen";
import type { Quoted } from "./types";

const NUMBER = "INV-100001";
const PORTAL = Date.parse("2026-11-30T04:58:30Z");
const ENDS = "2026-11-30T05:00:00Z";

/** A day ahead of the portal's. */
const BROWSER = PORTAL + 24 * 60 * 60 * 1000;

/** 102.00, with 2.00 off while the day of the discount lasts, as the portal says at this time of its own. */
function quotedAt(at: number): Quoted {
  const discount = at < Date.parse(ENDS) ? 2 : 0;
  const charged = 102 - discount;
  return {
    invoices: [
      {
        number: NUMBER,
        balance: 102,
        payoff: charged,
        discount,
        discount_until: discount ? "2026-11-29" : null,
        due_date: "2026-12-20",
        allocation: {
          number: NUMBER,
          wanted: 102,
          charged,
          discount,
          memos: [],
          settles: true,
          discount_day: discount ? "2026-11-29" : null,
        },
        problem: null,
      },
    ],
    credit_memos: [],
    charged,
    discount,
    applied: 0,
    currency: "USD",
    plan_hash: "a".repeat(64),
    at: new Date(at).toISOString(),
    discount_ends_at: discount ? ENDS : null,
  };
}

beforeEach(() => {
  // What is looked for is waited for by the true clock.
  vi.useFakeTimers({
    now: BROWSER,
    toNotFake: ["nextTick", "queueMicrotask", "performance", "setTimeout", "clearTimeout"],
  });
  begin(aPerson({ purchasing_rights: true }), "t");
  select([anInvoice()]);
});

afterEach(() => {
  deselect([NUMBER]);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("a discount is counted down by the portal's clock, and at its end the figures are asked anew", async () => {
  const asked: number[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const { pathname } = new URL((request as Request).url);
    if (!pathname.endsWith("/quote")) return new Promise<Response>(() => undefined);
    const at = PORTAL + (Date.now() - BROWSER);
    asked.push(at);
    return Response.json(quotedAt(at));
  });
  await showPage(<PayScreen />);
  expect(await screen.findByRole("timer")).toHaveTextContent("1:30");
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(screen.getByRole("timer")).toHaveTextContent("0:30");
  expect(asked).toHaveLength(1);
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  await waitFor(() => expect(asked).toEqual([PORTAL, Date.parse(ENDS)]));
  expect(await screen.findByRole("button", { name: "Pay $102.00" })).toBeVisible();
  expect(screen.queryByRole("timer")).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(asked).toHaveLength(2);
});

test("nothing is paid while an amount is none, and its fault shows when typing has stopped", async () => {
  vi.useRealTimers();
  const results = [aCard({ isMain: true })];
  const allowed = { cards: true, bank: true, cod: false, terms: false };
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const { pathname } = new URL((request as Request).url);
    if (pathname.endsWith("/quote")) return Response.json(quotedAt(PORTAL));
    if (!pathname.endsWith("/users-payment-methods")) return new Response(null, { status: 404 });
    return Response.json({ results, allowed, creditAvailable: null });
  });
  await showPage(<PayScreen />);
  fireEvent.click(await screen.findByRole("radio", { name: /Visa/ }));
  const pay = screen.getByRole("button", { name: "Pay $100.00" });
  await waitFor(() => expect(pay).toBeEnabled());
  const amount = screen.getByRole("textbox", { name: `Amount for ${NUMBER}` });
  fireEvent.change(amount, { target: { value: "" } });
  expect(pay).toBeDisabled();
  expect(screen.getByText("Please correct the amounts first.")).toBeVisible();
  expect(screen.queryByText("Required field")).toBeNull();
  expect(await screen.findByText("Required field", {}, { timeout: 3000 })).toBeVisible();
  fireEvent.blur(amount);
  expect(pay).toBeDisabled();
  fireEvent.change(amount, { target: { value: "100" } });
  fireEvent.blur(amount);
  expect(amount).toHaveValue("100.00");
  await waitFor(() => expect(pay).toBeEnabled());
  expect(screen.queryByText("Required field")).toBeNull();
});
