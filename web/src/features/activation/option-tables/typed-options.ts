import { useEffect, useRef, useState } from "react";
import { CONSTANTS } from "~/shared/constants";
import { useDraft } from "../draft";
import type { Typed } from "./option-tables";

/**
 * What somebody typed into a table and has not written yet. It is kept as the step's draft; until something is typed upon
 * it, it is what was `sent` and waits for the device or was taken back, by whomever. A row's fault is told a
 * second after typing stops (shell spec 9), or at once when the table is sent.
 */
export function useTypedOptions(id: string, step: string, sent?: Record<string, number>) {
  const draft = useDraft<Record<string, string>>(id, step, sent);
  const typed = draft.held ?? textsOf(sent);
  const [told, setTold] = useState<ReadonlySet<string>>(new Set());
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [upon, setUpon] = useState(draft.mark);
  if (upon !== draft.mark) {
    setUpon(draft.mark);
    setTouched(new Set());
  }
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());
  useEffect(() => {
    const running = timers.current;
    return () => running.forEach(clearTimeout);
  }, []);

  return {
    typed,
    told,
    /** Rows that were typed into since the table was last sent: what was said of them then is over. */
    touched,
    type(key: string, text: string) {
      draft.keep({ ...typed, [key]: text });
      setTold((was) => new Set([...was].filter((one) => one !== key)));
      setTouched((was) => new Set([...was, key]));
      clearTimeout(timers.current.get(key));
      timers.current.set(
        key,
        setTimeout(() => setTold((was) => new Set([...was, key])), CONSTANTS.validationDelay),
      );
    },
    undo(key: string) {
      const { [key]: _gone, ...rest } = typed;
      draft.keep(rest);
    },
    undoAll: () => draft.keep({}),
    /** Before the table is sent: the run keeps nothing of it while it is written. */
    tellAll() {
      draft.keep({ ...typed });
      setTold(new Set(Object.keys(typed)));
      setTouched(new Set());
    },
  };
}

function textsOf(sent: Record<string, number> = {}): Typed {
  return Object.fromEntries(Object.entries(sent).map(([key, value]) => [key, String(value)]));
}

export type TypedOptions = ReturnType<typeof useTypedOptions>;
