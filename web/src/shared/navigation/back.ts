import type { Crumb } from "./routes";

export type Back = { kind: "screen"; to: string } | { kind: "step" } | { kind: "history" };

/**
 * Where Back leads (shell spec 2): in wiring with one crumb to /wiring, in the activation of a device a step back, else
 * to the crumb before, the stored target, or the browser's history.
 */
export function backFrom(path: string, crumbs: readonly Crumb[], stored?: string): Back {
  if (path === "/activation/device") return { kind: "step" };
  if (path.startsWith("/wiring") && crumbs.length === 1) return { kind: "screen", to: "/wiring" };
  const before = crumbs.at(-2);
  if (before) return { kind: "screen", to: before.to };
  if (stored && stored !== path) return { kind: "screen", to: stored };
  return { kind: "history" };
}

/** The last two routes (shell spec 3): the older of them is the stored target. */
let lastTwo: readonly string[] = [];

export function visited(path: string): void {
  if (lastTwo.at(-1) !== path) lastTwo = [...lastTwo, path].slice(-2);
}

export function storedBack(): string | undefined {
  return lastTwo.length === 2 ? lastTwo[0] : undefined;
}
