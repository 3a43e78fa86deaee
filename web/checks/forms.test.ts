import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { handWrittenKeys, typedStates } from "./forms.ts";

const root = "src/";
const files = globSync("**/*.{ts,tsx}", { cwd: root })
  .filter((file) => !/\.(test|gen)\.tsx?$/.test(file))
  .map((file) => [file, readFileSync(root + file, "utf8")] as const);

const NARROWS = "narrows what is in view while one types";
const METHOD = "one of the saved methods, picked from their list";
const ROW = "a number of one row, which counts once the field is left";

/** Inputs that are no form, and why. */
const NO_FORMS: Record<string, string> = {
  "features/activation/option-tables/option-table.tsx": NARROWS,
  "features/billing/invoice-payment/memos.tsx": NARROWS,
  "features/billing/invoice-payment/complete/other-method.tsx": METHOD,
  "features/billing/invoice-payment/pay-screen.tsx": "credit memos are ticked, the quote follows",
  "features/billing/invoice-payment/summary.tsx": METHOD,
  "features/catalogue/top-search.tsx": "stands on the first page, which carries no forms",
  "features/checkout/run/pay-again.tsx": METHOD,
  "features/partners/select-business.tsx": NARROWS,
  "features/plans/parts/plan-pictures.tsx": "switches the prices that are in view",
  "features/vehicles/guides-screen.tsx": NARROWS,
  "features/vehicles/parts/find-field.tsx": NARROWS,
  "features/vehicles/wiring-beside.tsx": NARROWS,
  "shared/cart/add-to-cart.tsx": ROW,
  "shared/cart/quantity-field.tsx": ROW,
  "shared/cases/pay-again.tsx": METHOD,
  "shared/plans/purchase/purchase-payment.tsx": METHOD,
};

test("what is typed in a form is held by useFields", () => {
  const found = files.filter(([, text]) => typedStates(text).length > 0).map(([file]) => file);
  expect(found.sort()).toEqual(Object.keys(NO_FORMS).sort());
});

test("a person's names are asked for by NameFields", () => {
  const asking = files.filter(([, text]) => /\blast_name: \{ rules/.test(text));
  expect(asking.length).toBeGreaterThan(3);
  expect(asking.filter(([, text]) => !text.includes("<NameFields")).map(([file]) => file)).toEqual(
    [],
  );
  const own = files.filter(([, text]) => /autoComplete="(given|family)-name"/.test(text));
  expect(own.map(([file]) => file)).toEqual(["shared/forms/name-fields.tsx"]);
});

test("react-hook-form is asked by the form system alone", () => {
  const found = files
    .filter(([, text]) => text.includes('"react-hook-form"'))
    .map(([file]) => file);
  expect(found).toEqual(["shared/forms/fields.ts"]);
});

test("keys of queries are derived from their operations", () => {
  const found = files.flatMap(([file, text]) =>
    handWrittenKeys(text).map((key) => `${file}: ${key}`),
  );
  expect(found).toEqual([]);
});

test("a form out of states is found, a form out of fields is not", () => {
  const state = "const [text, setText] = useState('');\n";
  expect(typedStates(`${state}<input onChange={setText} />`)).toEqual(["setText"]);
  expect(typedStates(`${state}<input onChange={(e) => put({ a: setText(e) })} />`)).toEqual([
    "setText",
  ]);
  expect(typedStates(`${state}({ onChange: (e) => setText(e) })\n`)).toEqual(["setText"]);
  expect(
    typedStates(`${state}<input {...form.field("text")} onBlur={() => setText("")} />`),
  ).toEqual([]);
});

test("a key of words is found, one of an operation is not", () => {
  expect(handWrittenKeys('queryKey: ["orders", id],')).toEqual(['["orders", id]']);
  expect(handWrittenKeys('const boardKey = (id: string) => ["board", id]')).toEqual([
    '["board", id]',
  ]);
  expect(handWrittenKeys('cache.setQueryData(["cart"], cart)')).toEqual(['["cart"]']);
  expect(handWrittenKeys('queryKey: [...keyOf("get", "/v1/cart"), rev],')).toEqual([]);
});
