import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { STAGES } from "~/features/billing/invoice-payment/flow";
import { STATE_WORDS as PAYMENT_WORDS } from "~/features/billing/invoice-payment/words";
import { STATE_WORDS as FIRMWARE_WORDS } from "~/shared/firmware/words";
import { CHARTS } from "~/shared/flow/charts.gen";

/** The charts of a kind of run, of every version. */
const chartsOf = (kind: string) =>
  Object.entries(CHARTS).flatMap(([name, chart]) =>
    name.replace(/_v\d+$/, "") === kind ? [chart] : [],
  );
const statesOf = (kind: string) =>
  [...new Set(chartsOf(kind).flatMap(({ states }) => Object.keys(states)))].sort();

test("each step of an activation is one folder, with its screen under its name", () => {
  const steps = new Set(chartsOf("activation").flatMap(({ steps }) => steps));
  expect(steps.size).toBe(19);
  const screens = globSync("*/*.tsx", { cwd: "src/features/activation/steps" });
  expect([...steps].filter((step) => !screens.includes(`${step}/${step}.tsx`))).toEqual([]);
});

test("each state of an update and of a payment of invoices has its words", () => {
  expect(Object.keys(FIRMWARE_WORDS).sort()).toEqual(statesOf("firmware"));
  expect(Object.keys(PAYMENT_WORDS).sort()).toEqual(statesOf("invoice_payment"));
});

test("each state of a payment of invoices is in one part of its way, or leaves it", () => {
  const left = ["needs_attention", "refused", "returned", "expired", "cancelled"];
  const named = STAGES.flatMap(({ states }) => states);
  expect([...named, ...left].sort()).toEqual(statesOf("invoice_payment"));
});

/** Files that look at a run by its actor, and a state that they name. */
const LOOKS = /\b(?:Flow<|\w+Run\b|use(?:Flow|Placement|Purchase|InvoicePayment)\()/;
const NAMES = /\b(?:(?:run|flow|firmware)\.)?state [!=]== "([\w-]+)"/g;

test("a state that a screen of a run names is one of a chart", () => {
  const known = new Set(Object.values(CHARTS).flatMap(({ states }) => Object.keys(states)));
  const named = globSync("src/{shared,features}/**/*.tsx")
    .filter((file) => !file.includes(".test."))
    .map((file) => [file, readFileSync(file, "utf8")] as const)
    .filter(([, text]) => LOOKS.test(text))
    .flatMap(([file, text]) =>
      [...text.matchAll(NAMES)].map(([, state = ""]) => [file, state] as const),
    );
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter(([, state]) => !known.has(state))).toEqual([]);
});
