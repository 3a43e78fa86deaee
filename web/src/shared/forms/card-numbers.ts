const FEWEST = 12;
const MOST = 19;
const SMALLEST_GROUP = 3;
const RUN = /\d(?:[\s\u00ad\u200b\u2010-\u2015\u2212-]{0,3}\d){11,}/g;

/** The browser's twin of `domain/card_numbers.py`. */
export function holdsCardNumber(text: string): boolean {
  return (text.match(RUN) ?? []).some((run) => {
    const groups = run.match(/\d+/g) ?? [];
    const whole = groups.join("");
    if ((whole.length <= MOST || groups.length === 1) && isNumber(whole)) return true;
    return groups.length > 1 && groups.some((_, first) => beginsNumber(groups.slice(first)));
  });
}

function beginsNumber(groups: readonly string[]): boolean {
  let digits = "";
  for (const group of groups) {
    digits += group;
    if (group.length < SMALLEST_GROUP || digits.length > MOST) return false;
    if (digits.length >= FEWEST && isNumber(digits)) return true;
  }
  return false;
}

function isNumber(digits: string): boolean {
  const total = [...digits].reverse().reduce((sum, sign, place) => {
    const value = Number(sign) * (1 + (place % 2));
    return sum + (value > 9 ? value - 9 : value);
  }, 0);
  return total % 10 === 0 && /[1-9]/.test(digits);
}
