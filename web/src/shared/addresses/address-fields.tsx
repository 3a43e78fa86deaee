import { useLingui } from "@lingui/react/macro";
import { TextInput } from "@mantine/core";
import type { ComponentProps } from "react";
import { capitals, type FieldRules } from "~/shared/forms/fields";
import type { Judge } from "~/shared/forms/validation";
import { Choice } from "~/shared/ui/fields/choice";
import classes from "./address-fields.module.css";
import {
  COUNTRIES,
  type Country,
  countryName,
  isCountry,
  isPostalCode,
  regionsOf,
} from "./regions";

export type Address = {
  streetAddress1: string;
  streetAddress2: string;
  city: string;
  state: string;
  postalCode: string;
  countryCode: string;
};

type Name = keyof Address;

/** The rules of an address form, for `useFields`. */
export function addressRules(initial: Partial<Address> = {}): Record<Name, FieldRules> {
  return {
    streetAddress1: { rules: ["required"], initial: initial.streetAddress1 },
    streetAddress2: { rules: [], initial: initial.streetAddress2 },
    city: { rules: ["required"], initial: initial.city },
    state: { rules: ["required"], initial: initial.state },
    postalCode: {
      rules: ["required", ofCountry],
      initial: initial.postalCode,
      shape: capitals,
    },
    countryCode: { rules: ["required"], initial: initial.countryCode },
  };
}

/** The part of `useFields` that the fields of an address need. */
type AddressForm = {
  texts: Record<Name, string>;
  field: (name: Name) => Pick<ComponentProps<typeof TextInput>, "error" | "value" | "onChange">;
  set: (name: Name, typed: string) => void;
};

const ofCountry: Judge = (code, { countryCode = "" }) =>
  code === "" || isPostalCode(code, countryCode)
    ? undefined
    : "This is no postal code of the country";

type AddressFieldsProps = {
  form: AddressForm;
  /** The countries to choose from; by default all. */
  countries?: readonly Country[];
};

/** An address: the country first, as the names of its regions and the form of its codes follow from it. */
export function AddressFields({ form, countries = COUNTRIES }: AddressFieldsProps) {
  const { t, i18n } = useLingui();
  const { texts, field, set } = form;
  const country = texts.countryCode;
  const regions = isCountry(country) ? regionsOf(country, i18n) : [];

  return (
    <div className={classes.address}>
      <Choice
        label={t`Country`}
        name="countryCode"
        autoComplete="country"
        value={country}
        placeholder={t`Choose`}
        error={asText(field("countryCode").error)}
        onChange={(code) => {
          set("countryCode", code);
          set("state", "");
          set("postalCode", texts.postalCode); // a fault by the rules of the other country goes
        }}
        options={countries.map((code) => ({ value: code, label: countryName(code, i18n) }))}
      />
      <TextInput
        size="md"
        className={classes.wide}
        label={t`Street address`}
        autoComplete="address-line1"
        {...field("streetAddress1")}
      />
      <TextInput
        size="md"
        className={classes.wide}
        label={t`Suite, unit (optional)`}
        autoComplete="address-line2"
        {...field("streetAddress2")}
      />
      <TextInput size="md" label={t`City`} autoComplete="address-level2" {...field("city")} />
      <Choice
        label={country === "CA" ? t`Province` : t`State`}
        name="state"
        autoComplete="address-level1"
        value={texts.state}
        placeholder={t`Choose`}
        disabled={regions.length === 0}
        error={asText(field("state").error)}
        onChange={(code) => set("state", code)}
        options={regions}
      />
      <TextInput
        size="md"
        label={country === "US" ? t`ZIP code` : t`Postal code`}
        autoComplete="postal-code"
        {...field("postalCode")}
      />
    </div>
  );
}

function asText(error: unknown): string | undefined {
  return typeof error === "string" ? error : undefined;
}
