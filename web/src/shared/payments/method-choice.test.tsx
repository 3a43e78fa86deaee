import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { lookAgain } from "~/testing/look-again";
import { aBankAccount, aCard } from "~/testing/shop/a-payment-method";
import { show } from "~/testing/show";
import { MethodChoice } from "./method-choice";
import type { PaymentMethods } from "./types";

const ALL = { cards: true, bank: true, cod: true, terms: true };

/** The server's answer to every call. */
function tells(methods: Partial<PaymentMethods>) {
  const told = { results: [], allowed: ALL, creditAvailable: null, ...methods };
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json(told));
}

afterEach(() => {
  vi.restoreAllMocks();
});

test("a card, a bank account, COD and terms are chosen by name", async () => {
  tells({ results: [aCard({ isMain: true }), aBankAccount()], creditAvailable: 1200 });
  const onChange = vi.fn();
  show(<MethodChoice value={undefined} onChange={onChange} />);
  await userEvent.click(
    await screen.findByRole("radio", { name: /Visa •••• 4242 12\/30 Default/ }),
  );
  await userEvent.click(screen.getByRole("radio", { name: /Checking •••• 6789/ }));
  await userEvent.click(screen.getByRole("radio", { name: /COD/ }));
  await userEvent.click(screen.getByRole("radio", { name: /Payment terms \$1,200.00/ }));
  expect(onChange.mock.calls.map(([choice]) => choice)).toEqual([
    { type: "CARD", method_id: "card1" },
    { type: "BANK_ACCOUNT", method_id: "bank1" },
    { type: "COD", method_id: null },
    { type: "TERMS", method_id: null },
  ]);
});

test("what cannot be used is shut and says why; a hidden one is left out", async () => {
  tells({
    results: [
      aCard({ isValid: false }),
      aBankAccount({ status: "pending", isValid: false }),
      aCard({ id: "hidden", last4: "1111", isHidden: true }),
    ],
  });
  show(<MethodChoice value={undefined} onChange={vi.fn()} />);
  expect(await screen.findByRole("radio", { name: /4242.*Expired/ })).toBeDisabled();
  expect(screen.getByRole("radio", { name: /6789.*Not verified yet/ })).toBeDisabled();
  expect(screen.queryByText(/1111/)).toBeNull();
});

test("a declined card is marked, and may be tried again", async () => {
  tells({ results: [aCard()] });
  show(<MethodChoice value={undefined} onChange={vi.fn()} refused={["card1"]} />);
  expect(await screen.findByRole("radio", { name: /Declined for this payment/ })).toBeEnabled();
});

test("terms say when the credit does not reach", async () => {
  tells({ creditAvailable: 40 });
  show(<MethodChoice value={undefined} onChange={vi.fn()} amount={41} />);
  expect(await screen.findByText("More than your credit: $40.00 left")).toBeVisible();
});

test("only the kinds that fit are offered", async () => {
  tells({ results: [aCard()] });
  show(<MethodChoice value={undefined} onChange={vi.fn()} kinds={["CARD", "BANK_ACCOUNT"]} />);
  await screen.findByRole("radio", { name: /4242/ });
  expect(screen.getAllByRole("radio")).toHaveLength(1);
});

test("an outside rep has COD and terms alone", async () => {
  tells({ allowed: { ...ALL, cards: false, bank: false } });
  show(<MethodChoice value={undefined} onChange={vi.fn()} />);
  await waitFor(() => expect(screen.getAllByRole("radio")).toHaveLength(2));
  expect(screen.queryByRole("button", { name: "Add a card" })).toBeNull();
});

test("more than three saved methods stand behind one button, but never the chosen one", async () => {
  const results = ["1", "2", "3", "4", "5"].map((n) => aCard({ id: `card${n}`, last4: `000${n}` }));
  tells({ results });
  show(<MethodChoice value={{ type: "CARD", method_id: "card5" }} onChange={() => {}} />);
  expect(await screen.findByRole("radio", { name: /0005/ })).toBeChecked();
  expect(screen.getByRole("radio", { name: /0003/ })).toBeVisible();
  expect(screen.queryByRole("radio", { name: /0004/ })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Others (1)" }));
  expect(screen.getByRole("radio", { name: /0004/ })).toHaveFocus();
  expect(screen.queryByRole("button", { name: /^Others/ })).toBeNull();
});

test("a look that fails is told, and what is saved can be chosen all the same", async () => {
  tells({ results: [aCard()], creditAvailable: 1200 });
  show(<MethodChoice value={undefined} onChange={vi.fn()} />);
  await screen.findByRole("radio", { name: /4242/ });
  vi.mocked(fetch).mockImplementation(async () => Response.json({}, { status: 500 }));
  lookAgain();
  expect(await screen.findByRole("button", { name: "Try again" })).toBeVisible();
  expect(screen.getByRole("radio", { name: /4242/ })).toBeEnabled();
});
