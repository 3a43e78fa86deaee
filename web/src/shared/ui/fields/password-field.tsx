import { useLingui } from "@lingui/react/macro";
import { PasswordInput, type PasswordInputProps } from "@mantine/core";

/** A password may be pasted, filled in by a manager, and looked at. */
export function PasswordField(props: PasswordInputProps) {
  const { t } = useLingui();
  return (
    <PasswordInput
      size="md"
      visibilityToggleButtonProps={{
        "aria-label": t`Show the password`,
        "aria-hidden": false,
        tabIndex: 0,
      }}
      aria-invalid={props.error ? true : undefined}
      {...props}
    />
  );
}
