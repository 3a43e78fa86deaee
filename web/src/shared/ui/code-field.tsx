import { TextInput, type TextInputProps } from "@mantine/core";

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
