import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import * as site from "~/shared/session/site";
import { aPerson } from "~/testing/a-person";
import { show } from "~/testing/show";
import { Phone } from "./phone";

test.each([
  [true, "+15195550100", "Canada (+1)"],
  [false, "+15195550100", "United States (+1)"],
  [false, null, "United States (+1)"],
  [false, "+61412345678", "Australia (+61)"],
])("on a Canadian site (%s) the country of %s is %s", (canadian, phone_number, expected) => {
  vi.spyOn(site, "isCanadian").mockReturnValue(canadian);
  show(<Phone user={aPerson({ phone_number })} locked={false} />);
  expect(screen.getByLabelText("Country")).toHaveDisplayValue(expected);
});
