/**
 * What hangs on the chosen business. An area registers how it loads anew when a business is chosen or changed, and how it
 * empties itself when the choice is cleared or the person leaves.
 */
type HangsOnBusiness = {
  reload: () => Promise<void> | void;
  reset: () => void;
};

const areas = new Map<string, HangsOnBusiness>();

export function hangsOnBusiness(area: string, rules: HangsOnBusiness): void {
  if (areas.has(area)) throw new Error(`the area ${area} is registered twice`);
  areas.set(area, rules);
}

export function areasOnBusiness(): string[] {
  return [...areas.keys()].sort();
}

/** Empties every area, then loads all at once; an area that fails does not keep the others from loading. */
export async function reloadBusiness(): Promise<void> {
  resetBusiness();
  await Promise.allSettled([...areas.values()].map(async ({ reload }) => reload()));
}

export function resetBusiness(): void {
  for (const { reset } of areas.values()) reset();
}
