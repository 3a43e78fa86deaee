/** What is read from an address by hand: it is part of the first page, a schema library would be half of it. */

/** One value of an address, or undefined for what it may not be. */
type Reader<Value> = (given: unknown) => Value | undefined;

type Readers = Record<string, Reader<unknown>>;

/** What readers make of an address. */
export type Query<Of extends Readers> = {
  [Key in keyof Of]?: Exclude<ReturnType<Of[Key]>, undefined> | undefined;
};

/** The address of a page: unknown keys and values are dropped, the rest is kept (rulings "Calls"). */
export function query<const Of extends Readers>(readers: Of) {
  return (search: Record<string, unknown>): Query<Of> => {
    const read = Object.entries(readers)
      .map(([key, reader]) => [key, reader(search[key])] as const)
      .filter(([, value]) => value !== undefined);
    return Object.fromEntries(read) as Query<Of>;
  };
}

/** A text that fits a pattern; any text without one. */
export const text =
  (pattern?: RegExp): Reader<string> =>
  (given) =>
    typeof given === "string" && (pattern?.test(given) ?? true) ? given : undefined;

/** A text, or several. */
export const texts: Reader<string | string[]> = (given) =>
  Array.isArray(given) && given.every((one) => typeof one === "string") ? given : text()(given);

/** One of the words that there are. */
export const oneOf =
  <const Word extends string>(words: readonly Word[]): Reader<Word> =>
  (given) =>
    words.find((word) => word === given);

/** A whole number within its bounds. */
export const whole =
  (least: number, most = Number.MAX_SAFE_INTEGER): Reader<number> =>
  (given) => {
    const number = typeof given === "string" && given.trim() ? Number(given) : given;
    const fits = Number.isSafeInteger(number) && Number(number) >= least && Number(number) <= most;
    return fits ? Number(number) : undefined;
  };

/** One of the numbers that there are. */
export const oneNumberOf =
  <const One extends number>(numbers: readonly One[]): Reader<One> =>
  (given) =>
    numbers.find((number) => number === whole(Number.MIN_SAFE_INTEGER)(given));

/** A day that there is, as 2026-02-28. */
export const day: Reader<string> = (given) => {
  if (typeof given !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(given)) return undefined;
  const moment = new Date(`${given}T00:00:00Z`);
  return !Number.isNaN(moment.valueOf()) && moment.toISOString().startsWith(given)
    ? given
    : undefined;
};
