import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { masked } from "./card-numbers";
import { BOUNDS, capped, isPartnerAddress, RULES, shownPhone, withoutSymbols } from "./validation";

type Cases = {
  rules: { rule: string; text: string; bound?: number; fault: string | null }[];
  changes: { change: string; text: string; most?: number; result: string }[];
  partner_addresses: { address: string; domains: string[]; is_partner: boolean }[];
};

const cases: Cases = JSON.parse(readFileSync("../tests/identity/validation/cases.json", "utf8"));

const rules: Record<string, (text: string) => string | undefined> = RULES;
const bounds: Record<string, (text: string, bound: number) => string | undefined> = BOUNDS;
const changes: Record<string, (text: string, most?: number) => string> = {
  without_symbols: withoutSymbols,
  capped: (text, most = 0) => capped(text, most),
  shown_phone: shownPhone,
  masked,
};

test("every case gets the verdict that the server gives", () => {
  const wrong: unknown[] = [];
  let count = 0;
  for (const { rule, text, bound, fault } of cases.rules) {
    const found = bound === undefined ? rules[rule]?.(text) : bounds[rule]?.(text, bound);
    count += 1;
    if ((found ?? null) !== fault) wrong.push({ rule, text, bound, fault, found });
  }
  for (const { change, text, most, result } of cases.changes) {
    const found = changes[change]?.(text, most);
    count += 1;
    if (found !== result) wrong.push({ change, text, result, found });
  }
  for (const { address, domains, is_partner } of cases.partner_addresses) {
    count += 1;
    if (isPartnerAddress(address, domains) !== is_partner) wrong.push({ address, domains });
  }
  process.stdout.write(`\nvalidation cases: ${count}\n`);
  expect(wrong).toEqual([]);
});

test("the browser has the same rules as the table", () => {
  const judged = new Set(cases.rules.map(({ rule }) => rule));
  expect([...Object.keys(RULES), ...Object.keys(BOUNDS)].sort()).toEqual([...judged].sort());
});
