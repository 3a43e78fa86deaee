/** What a journey asks for, sign by sign. */
import { type Asked, OPEN } from "./alignment";

export const signs = (text: string) => [...text.replace(/\s+/g, " ")];

export function ofText(text: string, whole: boolean): Asked[] {
  const all = signs(text.trim());
  return whole ? all : [OPEN, ...all, OPEN];
}

const CHOICE = /\((?:\?:)?((?:\\.|[^()|\\])*(?:\|(?:\\.|[^()|\\])*)+)\)(?![*+?{])/;
const ATOM = /\\.|\[(?:\\.|[^\]\\])*\]|\((?:\\.|[^()\\])*\)|[^\\]/y;
const QUANTIFIER = /[*+?]\??|\{\d+,?\d*\}\??/y;
const ENDS = /(?<!\\)\$$/;

/** One list of signs for each alternative of an expression. */
export function ofExpression(source: string): Asked[][] {
  const [choice, ones] = CHOICE.exec(source) ?? [];
  if (choice && ones)
    return ones.split("|").flatMap((one) => ofExpression(source.replace(choice, () => one)));
  if (/^(?:\\.|[^()[\]\\])*\|/.test(source)) return source.split("|").flatMap(ofExpression);
  const bare = source.replace(/^\^/, "").replace(ENDS, "");
  const found: Asked[] = source.startsWith("^") ? [] : [OPEN];
  for (let at = 0; at < bare.length; ) {
    const atom = read(ATOM, bare, at);
    const often = read(QUANTIFIER, bare, at + atom.length);
    at += Math.max(1, atom.length + often.length);
    const literal = /^\\[^dDwWsS]$/.test(atom) ? atom.slice(1) : atom;
    const isWild = often || literal === "." || literal.length > 1;
    const wild = { source: atom + often, matches: new RegExp(`^${atom}$`), isOne: !often };
    found.push(isWild ? wild : literal);
  }
  return [ENDS.test(source) ? found : [...found, OPEN]];
}

function read(what: RegExp, text: string, at: number): string {
  what.lastIndex = at;
  return what.exec(text)?.[0] ?? "";
}

/** As an expression. */
export const asIs = (asked: Asked[]) => asked.map(written).join("");

export function written(sign: Asked): string {
  if (typeof sign !== "string") return sign.source;
  if (sign === " ") return "\\s+";
  return /[:%]/.test(sign) ? `\\s*${sign}` : sign.replace(/[.*+?^${}()|[\]\\/]/, "\\$&");
}

/** Several texts may stand beside each other, with what is none between them: marks first, else amounts and the like. */
export function partsOf(asked: Asked[]): Asked[][] {
  const parts = divided(asked, (sign, next) => MARK.test(`${sign}${next}`));
  const isApart = (sign: Asked) => sign === "$" || (typeof sign === "object" && sign !== OPEN);
  return parts.length > 1 ? parts : divided(asked, isApart);
}

const MARK = /^[:·•|()]|^,[^\d]/;

function divided(asked: Asked[], divides: (sign: Asked, next: Asked) => boolean): Asked[][] {
  const parts: Asked[][] = [];
  let isNew = true;
  for (const [at, sign] of asked.entries()) {
    const isLast = at === asked.length - 1;
    const apart: boolean =
      divides(sign, asked[at + 1] ?? "") || (sign === " " && (isNew || isLast));
    if (isNew || apart) parts.push([sign]);
    else parts.at(-1)?.push(sign);
    isNew = apart;
  }
  return parts;
}
