import { expect, test } from "vitest";
import { CONSTANTS } from "~/shared/constants";
import { accessoriesQuery, harnessesQuery, vehicleProductsQuery } from "./queries";

test("lists of a vehicle's products are kept for 300 seconds", () => {
  for (const { staleTime } of [
    vehicleProductsQuery(["A"]),
    harnessesQuery(["A"]),
    accessoriesQuery("A"),
  ])
    expect(staleTime).toBe(CONSTANTS.vehicleProductsKept);
});
