import { screen } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { begin, end } from "~/shared/session/session";
import { aPerson, aRep } from "~/testing/a-person";
import { showPage } from "~/testing/show";
import { SettledTable } from "./settled";

const amount = { amount: 98, currency: "USD" as const };
const OURS = "0a1b2c3d".repeat(4);
const SETTLED = [
  { date: "2026-11-20", kind: "payment", number: `${OURS}:INV-1`, amount },
  { date: "2026-11-21", kind: "payment", number: "CHEQUE-7", amount },
  { date: "2026-11-21", kind: "payment", number: "WIRE:7", amount },
  { date: "2026-11-22", kind: "credit_memo", number: "CM-1", amount },
];

beforeEach(() => end());

const shown = () =>
  showPage(<SettledTable label="Payments" settled={SETTLED} empty={null} />).then(() =>
    screen.getAllByRole("link").map((link) => link.getAttribute("href")),
  );

test("a payment that was made here leads to its page, and money that came otherwise nowhere", async () => {
  begin(aPerson({ purchasing_rights: true }), "t");
  expect(await shown()).toEqual([`/invoice-payment/complete?id=${OURS}`, "/credit-memo/CM-1"]);
});

test.each([
  ["an administrator", aPerson({ roles: ["admin"] })],
  ["an outside rep", aRep(true)],
  ["an accountant", aPerson({ is_dealer_accountant: true })],
])("%s reads the payment's number, whose page is not for them", async (_, reader) => {
  begin(reader, "t");
  expect(await shown()).toEqual(["/credit-memo/CM-1"]);
  expect(screen.getByText(`${OURS}:INV-1`)).toBeVisible();
});
