import { useState } from "react";

/** What is ticked in a list, up to a most; it stays ticked while a filter hides it. */
export function useMarked(most: number) {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());

  function mark(id: string, wanted: boolean): void {
    const next = new Set(marked);
    if (!wanted) next.delete(id);
    else if (next.size < most) next.add(id);
    setMarked(next);
  }

  return { marked, isFull: marked.size >= most, mark, clear: () => setMarked(new Set()) };
}
