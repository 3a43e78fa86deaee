let pages: readonly string[] = [];

/** Tells which page is shown. Of its search only the id is kept, as others may be secrets of a mailed link. */
export function shown(href: string): void {
  const { pathname, searchParams } = new URL(href, "http://portal");
  const id = searchParams.get("id");
  const page = id === null ? pathname : `${pathname}?id=${encodeURIComponent(id)}`;
  if (pages.at(-1) !== page) pages = [...pages, page].slice(-2);
}

/** The page before `present`, in this tab; a page that is being opened may not be shown yet. */
export function cameFrom(present: string): string | undefined {
  return pages.findLast((page) => page.split("?")[0] !== present);
}
