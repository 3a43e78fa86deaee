import { expect, test } from "vitest";
import { CONSTANTS } from "~/shared/constants";
import { productBySkuQuery, productQuery } from "./queries";

test("a single product is kept for 160 seconds, by whatever it was asked for", () => {
  for (const { gcTime } of [productQuery("p1"), productBySkuQuery("A-1")])
    expect(gcTime).toBe(CONSTANTS.productKept);
});
