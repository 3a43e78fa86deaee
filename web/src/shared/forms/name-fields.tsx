import { useLingui } from "@lingui/react/macro";
import { TextInput, type TextInputProps } from "@mantine/core";
import classes from "./name-fields.module.css";

type NameFieldsProps = {
  /** Of whichever form has both, among others. */
  form: { field(name: "first_name" | "last_name"): TextInputProps };
  readOnly?: boolean;
};

/** A person's first and last name, side by side where there is room. */
export function NameFields({ form, readOnly }: NameFieldsProps) {
  const { t } = useLingui();
  return (
    <div className={classes.names}>
      <TextInput
        size="md"
        label={t`First name`}
        autoComplete="given-name"
        readOnly={readOnly}
        {...form.field("first_name")}
      />
      <TextInput
        size="md"
        label={t`Last name`}
        autoComplete="family-name"
        readOnly={readOnly}
        {...form.field("last_name")}
      />
    </div>
  );
}
