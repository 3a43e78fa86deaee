import { useLingui } from "@lingui/react/macro";
import { PasswordInput } from "@mantine/core";
import { asPin, FAULT_WORDS } from "../../schema";
import classes from "./pin-card.module.css";

type PinFieldProps = {
  label: string;
  value: string;
  onChange: (pin: string) => void;
  fault: "required" | "pin" | undefined;
  disabled?: boolean;
};

/** Four to eight digits, hidden until they are asked for. No browser and no draft keeps them. */
export function PinField({ label, value, onChange, fault, disabled }: PinFieldProps) {
  const { t, i18n } = useLingui();
  const words = fault && FAULT_WORDS[fault];
  return (
    <PasswordInput
      size="md"
      label={label}
      classNames={{ label: classes.label, input: classes.input, innerInput: classes.input }}
      inputWrapperOrder={["label", "input", "error", "description"]}
      description={t`4 to 8 digits`}
      inputMode="numeric"
      autoComplete="off"
      data-1p-ignore=""
      data-lpignore="true"
      spellCheck={false}
      disabled={disabled}
      value={value}
      error={words && i18n._(words)}
      onChange={(event) => onChange(asPin(event.currentTarget.value))}
      visibilityToggleButtonProps={{
        "aria-label": t`Show the pin`,
        "aria-hidden": false,
        tabIndex: 0,
      }}
    />
  );
}
