import { bare, type Crumb, screenOf } from "./routes";

/** `up`: to a page above, which takes the place of the one that is left, or Back from there would lead to it again. */
export type Back =
  | { kind: "up"; to: string; search?: object | undefined }
  | { kind: "screen"; to: string; search?: undefined }
  | { kind: "pages"; by: number }
  | { kind: "step" }
  | { kind: "history" };

/** A page of this tab that was shown before the present one, and how many entries of the browser's history lie between. */
export type Before = { path: string; search: object; by: number };

/**
 * Where Back leads (shell spec 2): in wiring with one crumb to /wiring, in the activation of a device a step back, else
 * to the crumb before, the stored target, or the browser's history. Where the crumb before is the page that was left
 * last, that page is what it leads to, as it was.
 */
export function backFrom(path: string, crumbs: readonly Crumb[], before?: Before): Back {
  if (path === "/activation/device") return { kind: "step" };
  if (path.startsWith("/wiring") && crumbs.length === 1) return { kind: "screen", to: "/wiring" };
  const up = crumbs.at(-2);
  if (up && (up.search || up.to !== before?.path))
    return { kind: "up", to: up.to, search: up.search };
  return before ? { kind: "pages", by: before.by } : { kind: "history" };
}

/** What was shown at each entry of the browser's history, by its place there. */
const pages = new Map<number, Omit<Before, "by">>();

/** The parts of the router's location that are needed here. */
type Location = { pathname: string; search: object; state: { __TSR_index: number } };

export function visited({ pathname, search, state }: Location): void {
  pages.set(state.__TSR_index, { path: bare(pathname), search });
}

/** The page that was left for this one; others of the same screen are passed over. */
export function pageBefore({ pathname, state }: Location): Before | undefined {
  const screen = screenOf(pathname);
  for (let by = 1; by <= state.__TSR_index; by += 1) {
    const page = pages.get(state.__TSR_index - by);
    if (page && screenOf(page.path) !== screen) return { ...page, by };
  }
  return undefined;
}
