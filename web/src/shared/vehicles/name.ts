type Named = { year: number | string; make: string; model: string };

/** "2022 Toyota Camry", as a vehicle is called everywhere. */
export function nameOf({ year, make, model }: Named): string {
  return `${year} ${make} ${model}`;
}
