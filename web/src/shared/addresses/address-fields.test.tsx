import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { useFields } from "~/shared/forms/fields";
import { show } from "~/testing/show";
import { AddressFields, addressRules } from "./address-fields";

function Address() {
  return <AddressFields form={useFields(addressRules({ countryCode: "CA" }))} />;
}

test("the browser can fill in the whole of an address, country and province too", () => {
  show(<Address />);
  const filled = (label: string) => screen.getByLabelText(label).getAttribute("autocomplete");
  expect(["Country", "Province", "City"].map(filled)).toEqual([
    "country",
    "address-level1",
    "address-level2",
  ]);
});
