let pages: readonly string[] = [];

/** Tells which page is shown. Of its search only the id is kept, as others may be secrets of a mailed link. */
export function shown(href: string): void {
  const { pathname, searchParams } = new URL(href, "http://portal");
  const id = searchParams.get("id");
  const page = id === null ? pathname : `${pathname}?id=${encodeURIComponent(id)}`;
  if (pages.at(-1) !== page) pages = [...pages, page].slice(-2);
}

/** The page before this one, in this tab. */
export function cameFrom(): string | undefined {
  return pages.length === 2 ? pages[0] : undefined;
}
