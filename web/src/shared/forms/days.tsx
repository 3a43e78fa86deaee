import { useLingui } from "@lingui/react/macro";
import { TextInput } from "@mantine/core";
import type { ComponentProps } from "react";

type TypedDays = { from: string; to: string };

/** The days that are typed, until they are sent, for `useFields`. */
export function dayRules(from: string | undefined, to: string | undefined) {
  return { from: { rules: [], initial: from }, to: { rules: [], initial: to } };
}

/** What of the days was given. */
export function daysGiven({ from, to }: TypedDays) {
  return { from: from || undefined, to: to || undefined };
}

/** The part of `useFields` that the days need. */
type DaysForm = {
  texts: TypedDays;
  field: (name: keyof TypedDays) => ComponentProps<typeof TextInput>;
};

/** The first and the last day of a range; neither has to be given. */
export function DayFields({ form: { texts, field } }: { form: DaysForm }) {
  const { t } = useLingui();
  return (
    <>
      <TextInput
        size="md"
        type="date"
        label={t`From`}
        max={texts.to || undefined}
        {...field("from")}
      />
      <TextInput
        size="md"
        type="date"
        label={t`To`}
        min={texts.from || undefined}
        {...field("to")}
      />
    </>
  );
}
