const FEWEST = 12;
const MOST = 19;
const LAST_SHOWN = 4;
const SMALLEST_GROUP = 3;
const RUN = /\d(?:[\s\u00ad\u200b\u2010-\u2015\u2212-]{0,3}\d){11,}/g;

/** The browser's twin of `domain/card_numbers.py`, which knows our ids besides: none is typed here. */
export function holdsCardNumber(text: string): boolean {
  return !found(text).next().done;
}

/** Whether a serial number may be the number of a card instead: one with a letter in it is none. */
export function mayBeCardNumber(serial: string): boolean {
  return holdsCardNumber(serial) && !/\p{L}/u.test(serial);
}

/** The text with `*` for the digits of every card number but the last four. */
export function masked(text: string): string {
  const signs = text.split("");
  for (const places of found(text))
    for (const place of places.slice(0, -LAST_SHOWN)) signs[place] = "*";
  return signs.join("");
}

/** The places of the digits of each number; numbers may overlap. */
function* found(text: string): Generator<readonly number[]> {
  for (const run of text.matchAll(RUN)) {
    const groups = [...run[0].matchAll(/\d+/g)].map(({ 0: digits, index }) =>
      Array.from(digits, (_, place) => run.index + index + place),
    );
    const whole = groups.flat();
    if ((whole.length <= MOST || groups.length === 1) && isNumber(text, whole)) yield whole;
    if (groups.length > 1) yield* inGroups(text, groups);
  }
}

function* inGroups(text: string, groups: readonly number[][]): Generator<readonly number[]> {
  for (const [first] of groups.entries()) {
    let places: readonly number[] = [];
    for (const group of groups.slice(first)) {
      places = [...places, ...group];
      if (group.length < SMALLEST_GROUP || places.length > MOST) break;
      if (places.length >= FEWEST && isNumber(text, places)) yield places;
    }
  }
}

function isNumber(text: string, places: readonly number[]): boolean {
  const digits = places.map((place) => Number(text[place]));
  const total = [...digits].reverse().reduce((sum, digit, place) => {
    const value = digit * (1 + (place % 2));
    return sum + (value > 9 ? value - 9 : value);
  }, 0);
  return total % 10 === 0 && digits.some((digit) => digit > 0);
}
