import { useEffect } from "react";

const dirty = new Set<symbol>();

export function hasUnsaved(): boolean {
  return dirty.size > 0;
}

/** While `unsaved`, the browser asks before the page is left or reloaded. */
export function useUnsaved(unsaved: boolean): void {
  useEffect(() => {
    if (!unsaved) return;
    const mark = Symbol("unsaved form");
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    dirty.add(mark);
    window.addEventListener("beforeunload", ask);
    return () => {
      dirty.delete(mark);
      window.removeEventListener("beforeunload", ask);
    };
  }, [unsaved]);
}
