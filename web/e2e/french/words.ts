/** What a journey asks for in English, as the page says it in French. */
import { readFileSync } from "node:fs";
import { createCompiledCatalog } from "@lingui/cli/api";
import { setupI18n } from "@lingui/core";
import { catalogueOf } from "../../checks/texts";
import { dollars } from "../../src/shared/catalogue/money";
import { dayInWords } from "../../src/shared/time/day";
import { type Asked, aligned, isLetter, OPEN, type Sign } from "./alignment";
import { asIs, ofExpression, ofText, partsOf, signs, written } from "./asked";

/** A text is asked for as a whole, as a part that begins a word, or as whatever stands within a longer text. */
export type How = "whole" | "part" | "within";
export type Words = (asked: string | RegExp, how?: How) => string | RegExp;

/** The portal's own, and what the stand-ins write into its pages. */
export async function inFrench(): Promise<Words> {
  const catalogues = await catalogueOf(process.cwd());
  const of = (language: string) => ({ ...catalogues.get(language), ...ofStandIns(language) });
  return wordsOf(of("en"), of("fr"));
}

type SitePage = { lang: string; content: string[] };

/** The card provider's frame, and the pages of the company's own site: text by text the same in each language. */
function ofStandIns(language: string): Record<string, string> {
  const read = (file: string) => readFileSync(`../simulators/${file}`, "utf8");
  const frame = read("cards/frame.py").split(`"${language}": {`)[1]?.split("}")[0] ?? "";
  const pages = (JSON.parse(read("content_pages.json")) as SitePage[])
    .filter(({ lang }) => lang === language)
    .map(({ content }) => content.join(""));
  const texts = [
    ...frame.matchAll(/: "(.+)"/g),
    ...pages.join("").matchAll(/(?:alt="|>)([^"<>]+)(?="|<)/g),
  ];
  return Object.fromEntries(texts.map(([, text = ""], at) => [`stand-in ${at}`, text]));
}

/** What a message may say in English, and all that it may say in French. */
type Message = { text: string; english: Sign[]; french: Sign[][] };
/** How many letters of what is asked are told by messages, and how they say it: an expression. */
type Told = { told: number; said: string };

/**
 * A text is looked up by its message: whole, with its values, or a part of it; an expression by the messages that it
 * may mean. Where several may be meant, any of them will do. What is no message is looked for as it stands.
 */
export function wordsOf(english: Record<string, string>, french: Record<string, string>): Words {
  const [told, said] = [signsOf("en", english), signsOf("fr", french)];
  const messages = [...told].flatMap(([id, all]) =>
    all.map(({ signs: one, exact }) => {
      const ways = said.get(id) ?? [];
      const alike = ways.filter((way) => way.exact === exact);
      const either = (alike.length ? alike : ways).map((way) => way.signs);
      return { text: textOf(one), english: one, french: either };
    }),
  );
  const known = new Map<string, string | RegExp>();
  return (asked, how = "part") => {
    const key = `${asked} ${how}`;
    const answer = known.get(key) ?? translated(messages, asked, how);
    known.set(key, answer);
    return answer;
  };
}

type Token = string | [name: string, kind?: string, branches?: Record<string, Token[]>];

/** What stands between tags is a text by itself as well: a link, most often. */
function signsOf(language: string, texts: Record<string, string>): Map<string, Variant[]> {
  const all = Object.entries(texts).flatMap(([id, text]) => [
    [id, text],
    ...[...text.matchAll(/<(\d+)>([^<{]+)<\/\1>/g)].map(([, n, tagged]) => [`${id} ${n}`, tagged]),
  ]);
  const asJson = { namespace: "json" } as const;
  const { source } = createCompiledCatalog(language, Object.fromEntries(all), asJson);
  const compiled = Object.entries<Token[]>(JSON.parse(source).messages);
  return new Map(compiled.map(([id, tokens]) => [id, variants(tokens)]));
}

/** `exact` are the numbers that it is written for. */
type Variant = { signs: Sign[]; exact: string };

/** One text for each of its plurals. */
function variants(tokens: Token[], counted?: string): Variant[] {
  const only = (all: Sign[]) => [{ signs: all, exact: "" }];
  const ways = tokens.map((token): Variant[] => {
    if (token === "#" && counted) return only([{ value: counted }]);
    if (typeof token === "string") return only(ofMessage(token));
    const [value, , branches] = token;
    if (typeof branches !== "object") return only([{ value }]);
    const each = Object.entries(branches).filter(([name]) => name !== "offset");
    return each.flatMap(([name, branch]) =>
      variants(branch, value).map((one) => ({
        ...one,
        exact: /\d/.test(name) ? name + one.exact : one.exact,
      })),
    );
  });
  const joined = (one: Variant, two: Variant) => ({
    signs: [...one.signs, ...two.signs],
    exact: one.exact + two.exact,
  });
  return ways.reduce(
    (before, next) => before.flatMap((one) => next.map((two) => joined(one, two))),
    only([]),
  );
}

/** What stands in an empty tag is a value as well. */
function ofMessage(text: string): Sign[] {
  const parts = text.replace(/<\/?\d+>/g, "").split(/(<\d+\/>)/);
  return parts.flatMap((part, at): Sign[] => (at % 2 ? [{ value: part }] : signs(part)));
}

const VALUE = "\0";
const textOf = (all: (Sign | Asked)[]) =>
  all
    .map((one) => (typeof one === "string" ? one : VALUE))
    .join("")
    .toLowerCase();

function translated(messages: Message[], asked: string | RegExp, how: How): string | RegExp {
  const flags = asked instanceof RegExp ? asked.flags : how === "whole" ? "" : "i";
  const ways =
    typeof asked === "string" ? [ofText(asked, how === "whole")] : ofExpression(asked.source);
  const said = ways.map((way) => inFigures(french(messages, way, flags.includes("i")).said));
  if (said.every((one, at) => one === asIs(ways[at] ?? []))) return asked;
  const bounded = ways.map((way, at) => {
    const isPart = typeof asked === "string" && how === "part";
    const start = way[0] !== OPEN ? "^\\s*" : isPart ? "(?<![A-Za-zÀ-ÿ])" : "";
    return `${start}(?:${said[at]})${way.at(-1) === OPEN ? "" : "\\s*$"}`;
  });
  return new RegExp(bounded.join("|"), flags);
}

function french(messages: Message[], asked: Asked[], anyCase: boolean): Told {
  const found = likely(messages, asked, anyCase);
  const told = found[0]?.told ?? 0;
  const parts = partsOf(asked);
  const each = parts.length > 1 ? parts.map((part) => french(messages, part, anyCase)) : [];
  const beside = { told: 0, said: each.map((one) => one.said).join("") };
  for (const one of each) beside.told += one.told;
  const most = Math.max(told, beside.told);
  if (!most) return { told: 0, said: asIs(asked) };
  const isWhole = told === most;
  const letters = asked.filter(isLetter).length;
  const meant = found.filter(({ left }) => isWhole || (left === 0 && told * 2 > letters));
  const said = meant.flatMap(({ french: texts, values }) => {
    const spoken = new Map<string, string>();
    for (const [name, value] of values)
      spoken.set(name, anyOf([french(messages, value, anyCase).said, asIs(value)]));
    const inWords = (sign: Sign) =>
      typeof sign === "string" ? written(sign) : (spoken.get(sign.value) ?? OPEN.source);
    return texts.map((text) => text.map(inWords).join(""));
  });
  if (beside.told === most) said.push(beside.said);
  // A part may be of something else, and few of many letters may be the same by chance.
  const isPart = isWhole && found.every(({ left }) => left > 0);
  if (isPart || most * 2 < letters) said.push(asIs(asked));
  return { told: most, said: anyOf(said) };
}

function anyOf(said: string[]): string {
  const all = [...new Set(said)];
  return all.length > 1 ? `(?:${all.join("|")})` : all.join("");
}

/** Those that tell most of what is asked. A single word stands in many others: the ones that say nothing else come first. */
function likely(messages: Message[], asked: Asked[], anyCase: boolean) {
  const words = textOf(asked).match(/[\p{L}\p{N}]+/gu) ?? [];
  const letters = (some: string[]) => some.join("").length;
  const hopeful = messages.flatMap((one) => {
    const shared = words.filter((word) => one.text.includes(word));
    const mayFit = one.text.includes(VALUE) ? shared.length : shared.length === words.length;
    return mayFit && words.length ? [{ ...one, most: letters(shared) }] : [];
  });
  hopeful.sort((one, two) => two.most - one.most);
  let told = 1;
  const found = hopeful.flatMap((one) => {
    const fit = one.most >= told && aligned(one.english, asked, anyCase);
    if (!fit || fit.told < told) return [];
    told = fit.told;
    return [{ ...one, ...fit }];
  });
  const best = found.filter((one) => one.told === told);
  const whole = best.filter((one) => one.left === 0);
  const sure = whole.filter(({ values }) =>
    [...values.values()].every((one) => one.some(isLetter)),
  );
  const some = words.length > 1 ? [best] : [sure, whole, best];
  return some.find((one) => one.length) ?? [];
}

const MONEY = /\\\$((?:\d|,|\\\.|(?:\\d|\[[^\]]*\])[*+?]?)*)(\.\*)?/g;
const DAY = /\b([A-Z][a-z]{2})\\s\+(\d{1,2}),\\s\+(\d{4})/g;

/** Amounts, days and figures, as the portal writes them. */
function inFigures(source: string): string {
  const i18n = setupI18n({ locale: "fr", messages: { fr: {} } });
  const asWritten = (text: string) => signs(text).map(written).join("");
  return source
    .replace(MONEY, (whole, figures: string, more?: string) => {
      const amount = figures.replace(/[,\\]/g, "");
      if (/^\d+\.\d\d$/.test(amount)) return asWritten(dollars(i18n, Number(amount)));
      return figures || more ? "[\\d\\s]+,\\d\\d\\s*\\$" : whole;
    })
    .replace(DAY, (_whole, month: string, day: string, year: string) => {
      const on = new Date(`${month} ${day}, ${year} UTC`);
      return asWritten(dayInWords(i18n, on.toISOString().slice(0, 10)));
    })
    .replace(/(\d)\\\.(?=\d)/g, "$1[.,]");
}
