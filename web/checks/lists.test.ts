import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = "src/";

/** The lists of the shop that are read page by page. */
const LISTS =
  /\basking(?:Pages)?\("(?:get|post)", "(\/api\/(?:search-products|invoices|credit-memos|order-transactions)|\/v1\/(?:payments|subscriptions|statement))"/;

/** What asks for one page alone and goes without it, or says so itself. */
const NO_LISTS = ["harnessSearchQuery", "openMemosQuery", "suggestionsQuery"];

/** The queries of a file that ask for a page of such a list, each with its text. */
function listed(text: string): [name: string, text: string][] {
  return text
    .split(/^(?=export )/m)
    .filter((one) => LISTS.test(one))
    .map((one) => [/^export (?:const|function) (\w+)/.exec(one)?.[1] ?? "", one]);
}

test("what keeps a page of the shop's lists away is one kind of error (shop spec 8)", () => {
  const files = globSync("**/*.{ts,tsx}", { cwd: root }).filter(
    (file) => !/\.(test|gen)\.tsx?$/.test(file),
  );
  const found = files.flatMap((file) => listed(readFileSync(root + file, "utf8")));
  expect(found.filter(([, text]) => text.includes("pageOf("))).toHaveLength(7);
  const without = found.filter(([, text]) => !text.includes("pageOf(")).map(([name]) => name);
  expect(without.sort()).toEqual(NO_LISTS);
});

test("a query of a list is found, and none that asks for one thing", () => {
  const texts = [
    'export const a = asking("post", "/api/invoices", {});\n',
    'export function b() {\n  return askingPages("get", "/v1/subscriptions", at);\n}\n',
    'export const c = asking("post", "/api/invoice", {});\n',
    'export const d = asking("get", "/v1/payments/{uuid}", {});\n',
  ];
  expect(listed(texts.join("")).map(([name]) => name)).toEqual(["a", "b"]);
});
