import { fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { showPage } from "~/testing/show";
import { GuestScreen } from "./guest-screen";
import type { InvoiceSeen } from "./queries";

const DECLINED: InvoiceSeen = {
  state: "declined",
  number: "INV-1",
  business: "Harbour Car Audio",
  madeFor: "Nadia Roy",
  createDate: "2026-11-02",
  dueDate: "2026-12-02",
  lines: [],
  total: 100,
  paid: 0,
  balance: 100,
  amount: 98,
  discount: 0,
  discountUntil: null,
  currency: "USD",
  planHash: null,
  payment: { charged: 98, refunded: 0, shown: "Visa", detail: "Declined", actionUrl: null },
  publicKey: "pk",
  frameUrl: "http://cards.test/frame",
};

/** The provider's page says this to the screen. */
function say(data: object) {
  const { contentWindow } = screen.getByTitle(/Card number/) as HTMLIFrameElement;
  const from = { origin: "http://cards.test", source: contentWindow };
  fireEvent(window, new MessageEvent("message", { data, ...from }));
}

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

test("after a lost answer the same card is sent by the same key, and another one by its own", async () => {
  const keys: (string | null)[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) => {
    const request = asked as Request;
    if (request.url.endsWith("/open")) return Response.json(DECLINED);
    keys.push(request.headers.get("Idempotency-Key"));
    throw new TypeError("offline");
  });
  await showPage(<GuestScreen token="t" />);
  await screen.findByTitle(/Card number/);
  say({ type: "ready" });
  const name = screen.getByLabelText("Name on the card");
  fireEvent.change(name, { target: { value: "Nadia Roy" } });

  async function pay() {
    const before = keys.length;
    fireEvent.click(screen.getByRole("button", { name: /Pay/ }));
    await waitFor(() => {
      say({ type: "token", paymentMethod: { id: `pm_${before}` } });
      expect(keys).toHaveLength(before + 1);
    });
    await waitFor(() => expect(screen.getByRole("button", { name: /Pay/ })).toBeEnabled());
  }
  say({ type: "change", complete: true });
  await pay();
  await pay();
  say({ type: "change", complete: true });
  await pay();
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});

test.each(["0livia", "4242 4242 4242 4242"])(
  "%s is no name on a card, and nothing is asked for it",
  async (typed) => {
    const fetched = vi
      .spyOn(globalThis, "fetch")
      .mockImplementation(async () => Response.json(DECLINED));
    await showPage(<GuestScreen token="t" />);
    await screen.findByTitle(/Card number/);
    say({ type: "ready" });
    say({ type: "change", complete: true });
    const before = fetched.mock.calls.length;
    const name = screen.getByLabelText("Name on the card");
    fireEvent.change(name, { target: { value: typed } });
    fireEvent.click(screen.getByRole("button", { name: /Pay/ }));
    await waitFor(() => expect(name).toBeInvalid());
    expect(fetched.mock.calls).toHaveLength(before);
  },
);

test.each([
  [0, "What was charged is being paid back."],
  [98, "what was charged was paid back."],
])("of what could not be posted, with %s back, it says what is true", async (refunded, words) => {
  const payment = { charged: 98, refunded, shown: "Visa", detail: null, actionUrl: null };
  vi.spyOn(globalThis, "fetch").mockImplementation(async () =>
    Response.json({ ...DECLINED, state: "refused", payment }),
  );
  await showPage(<GuestScreen token="t" />);
  expect(await screen.findByText(words, { exact: false })).toBeVisible();
});
