import { useState } from "react";
import type { DraftChange } from "./draft";
import type { useDraft } from "./use-draft";

/** What is chosen of several: what was picked, at once, and what the server holds as soon as it has answered. */
export function usePicked(held: string | undefined, draft: ReturnType<typeof useDraft>) {
  const [picked, setPicked] = useState<string>();
  return {
    chosen: picked ?? held,
    pick(id: string, change: DraftChange): void {
      setPicked(id);
      const settle = () => setPicked((now) => (now === id ? undefined : now));
      void draft.choose(change).then(settle);
    },
  };
}
