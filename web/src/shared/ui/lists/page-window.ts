import { CONSTANTS } from "~/shared/constants";

type PageMark = number | "gap";

/** The page links to show: none for one page, all up to five, otherwise a window with gaps (shell spec 5). */
export function pageWindow(present: number, pages: number): PageMark[] {
  if (pages <= 1) return [];
  const all = Array.from({ length: pages }, (_, index) => index + 1);
  if (pages <= CONSTANTS.pagesListedInFull) return all;
  const near = new Set([1, pages, present - 1, present, present + 1]);
  if (present <= 3) for (const page of [2, 3, 4]) near.add(page);
  if (present >= pages - 2) for (const page of [pages - 3, pages - 2, pages - 1]) near.add(page);
  const shown = all.filter((page) => near.has(page));
  return shown.flatMap((page, index) => {
    const before = shown[index - 1];
    return before !== undefined && page - before > 1 ? (["gap", page] as const) : [page];
  });
}
