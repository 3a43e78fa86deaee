import { TextInput, type TextInputProps } from "@mantine/core";
import type { FieldRules } from "~/shared/forms/fields";

/** The rules of a code, for `useFields`. */
export const CODE: FieldRules = { rules: ["required"], verbatim: true };

/** A code as it is sent: without the blanks that people put between its digits. */
export function bareCode(typed: string): string {
  return typed.replace(/\s/g, "");
}

/** Six digits, from an app, a text message or a mail; phones offer the one that just came. */
export function CodeField(props: TextInputProps) {
  return (
    <TextInput
      size="md"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={12}
      spellCheck={false}
      {...props}
    />
  );
}
