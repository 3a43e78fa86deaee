import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { aPlan } from "~/testing/shop/a-plan";
import { show } from "~/testing/show";
import { Comparison } from "./comparison";

test("each plan holds what the one before holds, and more", () => {
  const basic = aPlan({ slug: "basic_prepaid", display_name: "Basic" });
  show(<Comparison plans={[basic, aPlan()]} />);
  const table = within(screen.getByRole("region", { name: "Plans compared" }));
  const row = (name: RegExp) => table.getByRole("row", { name });
  expect(row(/^Security/)).toHaveTextContent("SecurityIncludedIncluded");
  expect(row(/^GPS tracking/)).toHaveTextContent("GPS tracking–Not includedIncluded");
  expect(row(/^1 year/)).toHaveTextContent("1 year$76.42$76.42");
});
