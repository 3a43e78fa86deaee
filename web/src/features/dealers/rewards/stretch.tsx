import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { day } from "~/shared/navigation/query";
import classes from "../dealers.module.css";
import type { Stretch } from "../queries";

type StretchFieldsProps = { stretch: Stretch; onChange: (next: Stretch) => void };

/** The first and the last day, as days of UTC, with those that are asked for most. */
export function StretchFields({ stretch, onChange }: StretchFieldsProps) {
  const { t } = useLingui();
  const { thisMonth, lastMonth, thisYear } = usualStretches(new Date());
  const usual = [
    { words: <Trans>This month</Trans>, days: thisMonth },
    { words: <Trans>Last month</Trans>, days: lastMonth },
    { words: <Trans>This year</Trans>, days: thisYear },
  ];
  return (
    <div className={classes.filters}>
      <TextInput
        size="md"
        type="date"
        label={t`From (UTC)`}
        max={stretch.to}
        value={stretch.from ?? ""}
        onChange={(event) => onChange({ ...stretch, from: day(event.currentTarget.value) })}
      />
      <TextInput
        size="md"
        type="date"
        label={t`To (UTC)`}
        min={stretch.from}
        value={stretch.to ?? ""}
        onChange={(event) => onChange({ ...stretch, to: day(event.currentTarget.value) })}
      />
      {usual.map(({ words, days }) => {
        const shown = days.from === stretch.from && days.to === stretch.to;
        return (
          <Button
            key={`${days.from} ${days.to}`}
            size="md"
            variant={shown ? "light" : "default"}
            aria-pressed={shown}
            onClick={() => onChange(days)}
          >
            {words}
          </Button>
        );
      })}
    </div>
  );
}

/** Whole months and the whole year, of UTC. */
export function usualStretches(now: Date) {
  const year = now.getUTCFullYear();
  const month = now.getUTCMonth();
  const days = (first: number, next: number): Required<Stretch> => ({
    from: new Date(Date.UTC(year, first, 1)).toISOString().slice(0, 10),
    to: new Date(Date.UTC(year, next, 0)).toISOString().slice(0, 10),
  });
  return {
    thisMonth: days(month, month + 1),
    lastMonth: days(month - 1, month),
    thisYear: days(0, 12),
  };
}
