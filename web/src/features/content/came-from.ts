import type { Before } from "~/shared/navigation/back";

const MOST = 300;

/** The address of the page that somebody came from, for whoever answers them. Of its search only the id is told, as others
 * may be secrets of a mailed link. */
export function cameFrom(before: Before | undefined): string {
  if (!before) return "";
  const { path, search } = before;
  const id = "id" in search ? search.id : undefined;
  return (typeof id === "string" ? `${path}?id=${encodeURIComponent(id)}` : path).slice(0, MOST);
}
