import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type Dispatch, type SetStateAction, useEffect } from "react";
import { type Problem, problemOf } from "~/shared/api/errors";
import { isLost } from "~/shared/ui/notes/note";
import { MOST_ROWS, type PadRow, textOf, withVerdicts } from "./pad";
import { judgingQuery, type QuickOrder } from "./quick-order-calls";

const PAUSE = 350;

/**
 * Judges the rows by itself, a moment after typing or pasting stops. `order` is the word on the rows as they stand, or the
 * last one while the next is asked for (`busy`).
 */
export function useJudging(
  rows: readonly PadRow[],
  setRows: Dispatch<SetStateAction<PadRow[]>>,
): {
  order: QuickOrder | undefined;
  busy: boolean;
  problem: Problem | undefined;
  again: () => void;
} {
  const text = textOf(rows);
  const [settled] = useDebouncedValue(text, PAUSE);
  const isAsked = settled !== "" && rows.length <= MOST_ROWS * 2;
  const asked = useQuery({
    ...judgingQuery(settled),
    enabled: isAsked,
    placeholderData: (before: QuickOrder | undefined) => before,
  });
  const { data, error, isFetching, refetch } = asked;
  // Verdicts stay through what may pass, and go with the business whose prices they tell.
  const isOver = isLost({ ...asked, data: asked.data ?? null });

  useEffect(() => {
    if (isOver) setRows((present) => withVerdicts(present, []));
    if (isOver || !data || isFetching) return;
    setRows((present) =>
      textOf(present) === settled ? withVerdicts(present, data.rows) : present,
    );
  }, [data, isFetching, isOver, settled, setRows]);

  return {
    order: text === "" || isOver ? undefined : data,
    busy: isFetching || (text !== "" && text !== settled),
    problem: isAsked && error ? problemOf(error) : undefined,
    again: () => void refetch(),
  };
}
