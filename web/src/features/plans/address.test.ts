import { expect, test } from "vitest";
import { choiceOf, choiceSearch } from "./address";

const choose = (search: Record<string, unknown>) => choiceOf(choiceSearch(search));

test("without a device the devices come first, whatever the address says", () => {
  expect(choose({}).slide).toBe("devices");
  expect(choose({ slide: "plan-term-selector", type: "basic_prepaid" }).slide).toBe("devices");
  expect(choose({ device: "not a key!", slide: "plan-type-selector" })).toMatchObject({
    devices: [],
    slide: "devices",
  });
});

test("with a device the choice begins at the plans", () => {
  expect(choose({ device: "ft-x1-00000042" })).toEqual({
    devices: ["FT-X1-00000042"],
    type: undefined,
    plan: undefined,
    slide: "plan-type-selector",
  });
});

test("a device that is named twice is one, and the order stays", () => {
  const { devices } = choose({ device: ["FT-X2-00000002", "FT-X1-00000001", "ft-x2-00000002"] });
  expect(devices).toEqual(["FT-X2-00000002", "FT-X1-00000001"]);
});

test("a slide that there is not is passed over", () => {
  expect(choose({ device: "FT-X1-00000042", slide: "payment" }).slide).toBe("plan-type-selector");
});
