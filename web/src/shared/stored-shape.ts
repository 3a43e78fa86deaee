/** Whether what was read from somewhere is what was once put there. */
export type Shape<Kept> = (found: unknown) => found is Kept;

export const text: Shape<string> = (found) => typeof found === "string";

export const number: Shape<number> = (found): found is number =>
  typeof found === "number" && Number.isFinite(found);

export function oneOf<Name extends string>(...names: readonly Name[]): Shape<Name> {
  return (found): found is Name => names.some((name) => name === found);
}

export function optional<Kept>(shape: Shape<Kept>): Shape<Kept | undefined> {
  return (found): found is Kept | undefined => found === undefined || shape(found);
}

export function listOf<Kept>(shape: Shape<Kept>): Shape<Kept[]> {
  return (found): found is Kept[] => Array.isArray(found) && found.every(shape);
}

/** What has these parts, whatever else it has. */
export function having<Kept>(
  parts: {
    [Part in keyof Required<Kept>]: Shape<Kept[Part]>;
  },
): Shape<Kept> {
  const shapes = Object.entries<Shape<unknown>>(parts);
  return (found): found is Kept =>
    typeof found === "object" &&
    found !== null &&
    shapes.every(([part, shape]) => shape((found as Record<string, unknown>)[part])); // no part is there before it was looked at
}
