import classes from "./stroke.module.css";

const INKS: Record<string, string> = {
  black: "#1d1d1d",
  blue: "#1f5fd0",
  brown: "#7a4a21",
  green: "#1f8a3a",
  grey: "#808080",
  gray: "#808080",
  orange: "#f08010",
  pink: "#f29ac0",
  purple: "#7b3fb0",
  red: "#d02020",
  tan: "#d2b48c",
  white: "#ffffff",
  yellow: "#f4d000",
};

/** The paints of "White/Black"; a word that is no colour has none. */
export function inksOf(color: string): string[] {
  return color
    .toLowerCase()
    .split(/[^a-z]+/)
    .flatMap((word) => INKS[word] ?? [])
    .slice(0, 2);
}

/** A piece of wire, with the second colour as its stripe; the words stand beside it. */
export function Stroke({ color }: { color: string }) {
  const [base, stripe] = inksOf(color);
  if (!base) return null;
  return (
    <svg className={classes.stroke} width="28" height="12" viewBox="0 0 28 12" aria-hidden="true">
      <rect x="0.5" y="0.5" width="27" height="11" rx="5.5" fill={base} stroke="#666" />
      {stripe ? <path d="M3 6h22" stroke={stripe} strokeWidth="3" /> : null}
    </svg>
  );
}
