import { useLingui } from "@lingui/react/macro";
import { TextInput } from "@mantine/core";
import { useState } from "react";

/** The days that are typed, until they are sent. */
export type TypedDays = { from: string; to: string };

export function useTypedDays(from: string | undefined, to: string | undefined) {
  return useState<TypedDays>({ from: from ?? "", to: to ?? "" });
}

/** What of the days was given. */
export function daysGiven({ from, to }: TypedDays) {
  return { from: from || undefined, to: to || undefined };
}

/** The first and the last day of a range; neither has to be given. */
export function DayFields({
  days,
  onChange,
}: {
  days: TypedDays;
  onChange: (days: TypedDays) => void;
}) {
  const { t } = useLingui();
  return (
    <>
      <TextInput
        size="md"
        type="date"
        label={t`From`}
        max={days.to || undefined}
        value={days.from}
        onChange={(event) => onChange({ ...days, from: event.currentTarget.value })}
      />
      <TextInput
        size="md"
        type="date"
        label={t`To`}
        min={days.from || undefined}
        value={days.to}
        onChange={(event) => onChange({ ...days, to: event.currentTarget.value })}
      />
    </>
  );
}
