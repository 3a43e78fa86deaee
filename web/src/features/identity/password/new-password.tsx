import { useLingui } from "@lingui/react/macro";
import type { FieldRules, useFields } from "~/shared/forms/fields";
import { PasswordField } from "~/shared/ui/fields/password-field";

export const NEW_PASSWORD = {
  password: { rules: ["required", "password"], verbatim: true },
  confirm_password: { rules: ["required"], verbatim: true },
} satisfies Record<string, FieldRules>;

type Props = ReturnType<ReturnType<typeof useFields>["field"]>;

/** A new password, twice, with what it must be. */
export function NewPasswordFields({ first, second }: { first: Props; second: Props }) {
  const { t } = useLingui();
  return (
    <>
      <PasswordField
        label={t`New password`}
        description={t`8 to 99 characters, with a small letter, a capital, a digit and a sign.`}
        autoComplete="new-password"
        {...first}
      />
      <PasswordField label={t`New password again`} autoComplete="new-password" {...second} />
    </>
  );
}
