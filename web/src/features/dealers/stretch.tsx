import { useLingui } from "@lingui/react/macro";
import { TextInput } from "@mantine/core";
import classes from "./dealers.module.css";
import { dayOf, type Stretch } from "./queries";

type StretchFieldsProps = { stretch: Stretch; onChange: (next: Stretch) => void };

/** The first and the last day, as days of UTC. */
export function StretchFields({ stretch, onChange }: StretchFieldsProps) {
  const { t } = useLingui();
  return (
    <div className={classes.filters}>
      <TextInput
        size="md"
        type="date"
        label={t`From (UTC)`}
        max={stretch.to}
        value={stretch.from ?? ""}
        onChange={(event) => onChange({ ...stretch, from: dayOf(event.currentTarget.value) })}
      />
      <TextInput
        size="md"
        type="date"
        label={t`To (UTC)`}
        min={stretch.from}
        value={stretch.to ?? ""}
        onChange={(event) => onChange({ ...stretch, to: dayOf(event.currentTarget.value) })}
      />
    </div>
  );
}
