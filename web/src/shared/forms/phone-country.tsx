import { useLingui } from "@lingui/react/macro";
import { PHONE_CODES } from "~/shared/constants";
import { Choice } from "~/shared/ui/fields/choice";

export type PhoneCountry = keyof typeof PHONE_CODES;

type PhoneCountryChoiceProps = {
  /** Of the field's name in its form, without what there is to choose from. */
  name?: string;
  value: PhoneCountry;
  onChange: (value: PhoneCountry) => void;
  disabled?: boolean;
  error?: string;
};

/** The country whose code stands before a telephone number. */
export function PhoneCountryChoice(props: PhoneCountryChoiceProps) {
  const { t } = useLingui();
  return (
    <Choice<PhoneCountry>
      label={t`Country`}
      {...props}
      options={[
        { value: "CA", label: t`Canada (+1)` },
        { value: "US", label: t`United States (+1)` },
        { value: "AU", label: t`Australia (+61)` },
        { value: "MX", label: t`Mexico (+52)` },
      ]}
    />
  );
}

/** The country of a number that was kept. Two have one code: of those it is `here`. */
export function phoneCountryOf(phone: string | null, here: "CA" | "US"): PhoneCountry {
  if (phone?.startsWith(PHONE_CODES.AU)) return "AU";
  if (phone?.startsWith(PHONE_CODES.MX)) return "MX";
  return here;
}

/** A number as it is kept, its country's code and ten digits, from one in a field whose rule it passes. */
export function withPhoneCode(country: PhoneCountry, shown: string): string {
  return shown === "" ? "" : PHONE_CODES[country] + shown.replace(/\D/g, "");
}
