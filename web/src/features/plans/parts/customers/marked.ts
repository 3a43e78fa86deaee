import { useState } from "react";

type Kept = { id: string };

/** What is ticked in a list, up to a most; it stays ticked while `rows`, what a filter leaves in view, hold it no more. */
export function useMarked<Row extends Kept>(rows: readonly Row[], most: number) {
  const [ticked, setTicked] = useState<ReadonlyMap<string, Row>>(new Map());
  const shown = new Map(rows.map((row) => [row.id, row]));
  const marked = [...ticked.values()].map((row) => shown.get(row.id) ?? row);

  function mark(row: Row, wanted: boolean): void {
    const next = new Map(ticked);
    if (!wanted) next.delete(row.id);
    else if (next.size < most) next.set(row.id, row);
    setTicked(next);
  }

  return {
    /** As they are in view, and the others as they were last. */
    marked,
    hidden: marked.filter(({ id }) => !shown.has(id)).length,
    isFull: marked.length >= most,
    isMarked: ({ id }: Row) => ticked.has(id),
    mark,
    clear: () => setTicked(new Map()),
  };
}
