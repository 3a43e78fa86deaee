import { Plural } from "@lingui/react/macro";
import { Status } from "~/shared/ui/notes/status";
import { useKept } from "./outbox";

/** How many forms were entered for a run without a signal and wait on this device; nothing when none does. */
export function WaitsMark({ id }: { id: string }) {
  const count = useKept().filter(({ at }) => at.id === id).length;
  if (count === 0) return null;
  return (
    <Status tone="wait">
      <Plural value={count} one="# form waits here" other="# forms wait here" />
    </Status>
  );
}
