import { localeOf } from "~/i18n/texts";

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
] as const;

/** A span of time in a language, in its two largest units: `3 days 2 hr`, `5 min 10 sec`, `0.4 sec`. */
export function lasted(language: string, ms: number): string {
  const locale = localeOf(language);
  const first = UNITS.findIndex(([, size]) => ms >= size);
  if (first < 0) return amount(locale, Math.round(ms / 100) / 10, "second");
  const [unit, size] = UNITS[first] ?? UNITS[3];
  const next = UNITS[first + 1];
  const rest = next ? Math.floor((ms % size) / next[1]) : 0;
  const words = [amount(locale, Math.floor(ms / size), unit)];
  if (next && rest > 0) words.push(amount(locale, rest, next[0]));
  return words.join(" ");
}

function amount(locale: string, value: number, unit: string): string {
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "short" }).format(value);
}
