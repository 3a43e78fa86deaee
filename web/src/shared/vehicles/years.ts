/** The year list runs from next year down to this one (devices spec 9). */
export const OLDEST_YEAR = 1940;

export function newestYear(): number {
  return new Date().getFullYear() + 1;
}

export function years(): { value: string; label: string }[] {
  const newest = newestYear();
  return Array.from({ length: newest - OLDEST_YEAR + 1 }, (_, at) => {
    const year = String(newest - at);
    return { value: year, label: year };
  });
}
