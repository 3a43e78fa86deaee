import { afterEach, expect, test } from "vitest";
import { fitFaults, isSeen, setSeen } from "./fit-seen";

afterEach(() => sessionStorage.clear());

const need = (productId: string) => ({
  need: { productId, variantId: "v", sku: "S", name: "N", isAvailableForPurchase: true },
  neededBy: ["a"],
});
const camry = { id: 7, year: 2022, makeId: 1, modelId: 2, name: "2022 Toyota Camry", lineIds: [] };

test("what does not fit and what is lacking is told, nothing else", () => {
  expect(fitFaults({ lines: [], vehicles: [{ ...camry, lacking: [] }] })).toEqual([]);
  expect(fitFaults({ lines: [], vehicles: [{ ...camry, lacking: [need("p")] }] })).toEqual([
    "lacks 7 p",
  ]);
});

test("it is told once for a cart, and again when it changes", () => {
  setSeen("token", ["lacks 7 p"]);
  expect(isSeen("token", ["lacks 7 p"])).toBe(true);
  expect(isSeen("token", ["lacks 7 p", "lacks 7 q"])).toBe(false);
  expect(isSeen("other", ["lacks 7 p"])).toBe(false);
});
