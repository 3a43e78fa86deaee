/** What a journey asks for, as texts: what stands for any of several signs is one sign, of an area that no text uses. */
import { setupI18n } from "@lingui/core";
import { localeOf } from "../../src/i18n/texts";
import { dollars } from "../../src/shared/catalogue/money";
import { dayInWords } from "../../src/shared/time/day";

/** What may stand before or behind a part of a text. */
export const OPEN = "\uE000";
const sources: string[] = [""];

/** The one sign that stands for an expression. */
function sign(source: string): string {
  if (!sources.includes(source)) sources.push(source);
  return String.fromCharCode(OPEN.charCodeAt(0) + sources.indexOf(source));
}

const i18n = setupI18n({ locale: "fr", locales: localeOf("fr"), messages: { fr: {} } });
const WILD = /[\uE000-\uF8FF]/;
const MONEY = /\$((?:[\d,]|\.\d|[\uE001-\uF8FF]\.?)*)(\uE000?)/g;
const DAY = /\b[A-Z][a-z]{2} \d{1,2}, \d{4}\b/g;

/** Amounts and days as the portal writes them. */
function inFigures(text: string): string {
  const money = (whole: string, figures: string, end: string) => {
    const amount = figures.replaceAll(",", "");
    if (/^\d+\.\d\d$/.test(amount)) return sign(asIs(dollars(i18n, Number(amount)))) + end;
    return WILD.test(figures + end) ? sign("[\\d\\s]+,\\d\\d\\s*\\$") + end : whole;
  };
  const day = (on: string) =>
    sign(asIs(dayInWords(i18n, new Date(`${on} UTC`).toISOString().slice(0, 10))));
  return text.replace(/\s+/g, " ").replace(MONEY, money).replace(DAY, day);
}

export function ofText(text: string, isWhole: boolean): string {
  const end = isWhole ? "" : OPEN;
  return inFigures(end + text.trim() + end);
}

const CHOICE = /\(((?:\\.|[^()|\\])*(?:\|(?:\\.|[^()|\\])*)+)\)/;
const OPTIONAL = /(\\[^dwsDWS]|(?<!\\)[a-z-])\?/;
const ATOM = /(\\[dwsDWS]|\[(?:\\.|[^\]\\])*\]|(?<!\\)\.)([*+?]|\{[\d,]+\})?/g;

/** One list for each alternative of an expression: the texts that stand somewhere in what it finds, one after the other. */
export function ofExpression(source: string): string[][] {
  const [choice, ones] = CHOICE.exec(source) ?? [];
  if (choice && ones)
    return ones.split("|").flatMap((one) => ofExpression(source.replace(choice, () => one)));
  if (source.includes("|")) return source.split("|").flatMap(ofExpression);
  const [optional, letter] = OPTIONAL.exec(source) ?? [];
  if (optional && letter)
    return [letter, ""].flatMap((one) => ofExpression(source.replace(optional, () => one)));
  const [start, end] = [source.startsWith("^"), /(?<!\\)\$$/.test(source)];
  const parts = source
    .slice(start ? 1 : 0, end ? -1 : undefined)
    .split(/\(\.\*\)|(?<!\\)\.\*/)
    .map((part) => part.replace(ATOM, sign).replace(/\\(.)/g, "$1"));
  return [
    parts.map((part, at) => {
      const isStart = start && at === 0;
      const isEnd = end && at === parts.length - 1;
      return inFigures((isStart ? "" : OPEN) + part + (isEnd ? "" : OPEN));
    }),
  ];
}

/** As an expression. */
export function asIs(text: string): string {
  const escaped = text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  return escaped
    .replace(/\s+(?=[:%$?!»])|(?<!\s)(?=[:%])/g, "\\s*")
    .replace(/\s+/g, "\\s+")
    .replace(/[\uE000-\uF8FF]/g, (one) => sources[one.charCodeAt(0) - OPEN.charCodeAt(0)] ?? one);
}
