import { type Dispatch, type SetStateAction, useCallback, useRef } from "react";
import { aRow, emptyPad, type PadRow, pasted, rowsOfPaste } from "./pad";

/** What a row tells of what is typed in it; the same functions for the life of the pad. */
export type Typing = {
  onChange: (id: number, change: { sku?: string; quantity?: string }) => void;
  onNext: (id: number, from: "sku" | "quantity") => void;
  onPaste: (id: number, text: string) => void;
  onRemove: (id: number) => void;
};

/** `onEdit` is told of each change of a text or of the rows. */
export function useTyping(setRows: Dispatch<SetStateAction<PadRow[]>>, onEdit: () => void): Typing {
  const edited = useRef(onEdit);
  edited.current = onEdit;
  const edit = useCallback(
    (change: (present: PadRow[]) => PadRow[]) => {
      setRows(change);
      edited.current();
    },
    [setRows],
  );

  const onChange = useCallback(
    (id: number, change: { sku?: string; quantity?: string }) =>
      edit((present) =>
        present.map((row) => (row.id === id ? { ...row, ...change, judged: undefined } : row)),
      ),
    [edit],
  );
  const onPaste = useCallback(
    (id: number, text: string) =>
      edit((present) =>
        pasted(
          present,
          present.findIndex((row) => row.id === id),
          rowsOfPaste(text),
        ),
      ),
    [edit],
  );
  const onRemove = useCallback(
    (id: number) =>
      edit((present) => {
        const left = present.filter((row) => row.id !== id);
        return left.length ? left : emptyPad();
      }),
    [edit],
  );
  const onNext = useCallback(
    (id: number, from: "sku" | "quantity") => {
      if (from === "sku") {
        document.getElementById(`quantity-${id}`)?.focus();
        return;
      }
      setRows((present) => {
        const at = present.findIndex((row) => row.id === id);
        const next = present[at + 1] ?? aRow();
        requestAnimationFrame(() => document.getElementById(`sku-${next.id}`)?.focus());
        return at === present.length - 1 ? [...present, next] : present;
      });
    },
    [setRows],
  );
  return { onChange, onNext, onPaste, onRemove };
}
