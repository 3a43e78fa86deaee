import { useLingui } from "@lingui/react/macro";
import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import classes from "./pin-card.module.css";

/** Four to eight digits, hidden until they are asked for. No browser and no draft keeps them. */
export function PinField(props: PasswordInputProps) {
  const { t } = useLingui();
  return (
    <PasswordInput
      size="md"
      classNames={{ label: classes.label, input: classes.input, innerInput: classes.input }}
      inputWrapperOrder={["label", "input", "error", "description"]}
      description={t`4 to 8 digits`}
      inputMode="numeric"
      autoComplete="off"
      data-1p-ignore=""
      data-lpignore="true"
      spellCheck={false}
      visibilityToggleButtonProps={{
        "aria-label": t`Show the pin`,
        "aria-hidden": false,
        tabIndex: 0,
      }}
      {...props}
    />
  );
}
