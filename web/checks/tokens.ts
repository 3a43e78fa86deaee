/** Colours, sizes and weights of type, gaps, margins, paddings and radii of a sheet that stand beside those of `src/app/theme.ts`; `tokens.test.ts` asks it of all sheets. */

const COLOUR = /#[\da-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\([^)]*\)/gi;
const DISTANCE =
  /^\s*((?:row-|column-)?gap|font-size|(?:margin|padding)(?:-[a-z]+)*|border-(?:[a-z]+-)*radius): ([^;]+);/gm;
const WEIGHT = /^\s*(font-weight: (?!400;|600;|inherit;|var\(|100 900;)[^;]+);/gm;
/** Whole ends, a circle, and the inner side of a border. */
const ROUND = /\b(?:999px|50%|1px)/g;
/** A hair's breadth. */
const HAIR = /\b[1-3]px/g;
/** That, and room for what stands fixed there. */
const ROOM = /\b(?:[1-3]|6[4-9]|[7-9]\d|\d{3})px/g;

function freeIn(name: string): RegExp | undefined {
  if (name.endsWith("radius")) return ROUND;
  if (name.startsWith("padding")) return ROOM;
  return name.startsWith("margin") ? HAIR : undefined;
}

/** Each as it stands, with the line it stands in. */
export function besideTokens(sheet: string): string[] {
  const found: { at: number; text: string }[] = [];
  for (const { 0: text, index } of sheet.matchAll(COLOUR)) found.push({ at: index, text });
  for (const { 0: whole, 1: name = "", 2: value = "", index } of sheet.matchAll(DISTANCE)) {
    const free = freeIn(name);
    const known = free ? value.replace(free, "") : value;
    if (/\d(?:px|r?em|%)/.test(known))
      found.push({ at: index + whole.search(/\S/), text: `${name}: ${value}` });
  }
  for (const { 0: whole, 1: text = "", index } of sheet.matchAll(WEIGHT))
    found.push({ at: index + whole.search(/\S/), text });
  return found
    .sort((one, other) => one.at - other.at)
    .map(({ at, text }) => `${sheet.slice(0, at).split("\n").length}: ${text}`);
}
