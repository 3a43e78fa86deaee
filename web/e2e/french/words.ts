/** What a journey asks for in English, as the page says it in French. */
import { readFileSync } from "node:fs";
import { createCompiledCatalog } from "@lingui/cli/api";
import { catalogueOf } from "../../checks/texts";
import { asIs, OPEN, ofExpression, ofText } from "./asked";

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

/** The card provider's frame, and the pages of the company's own site: text by text the same in each language. A cell names. */
function ofStandIns(language: string): Record<string, string> {
  const read = (file: string) => readFileSync(`../simulators/${file}`, "utf8");
  const frame = read("cards/frame.py").split(`"${language}": {`)[1]?.split("}")[0] ?? "";
  const pages = (JSON.parse(read("content_pages.json")) as SitePage[])
    .filter(({ lang }) => lang === language)
    .map(({ content }) => content.join(""));
  const texts = [
    ...frame.matchAll(/: "(.+)"/g),
    ...pages.join("").matchAll(/(?:alt="|(?<!<td)>)([^"<>]+)(?="|<)/g),
  ];
  return Object.fromEntries(texts.map(([, text = ""], at) => [`stand-in ${at}`, text]));
}

/** A text of the catalogue, one of its plurals: `{name}` stands for a value. */
type Message = { atoms: string[]; words: Set<string>; french: string[] };
/** How many letters of what is asked are told by messages, and how they say it: an expression. */
type Told = { told: number; said: string };

const VALUE = /(\{[^}]+\})/g;
const ATOM = /\{[^}]+\}|[\p{L}\p{N}]+|./gsu;
const atomsOf = (text: string) => text.match(ATOM) ?? [];
const wordsIn = (text: string) => text.replace(VALUE, " ").match(/\p{L}+/gu) ?? [];
const letters = (text: string) => wordsIn(text).join("").length;

/**
 * A text is looked up by the messages that tell most of it: whole, with their values, or a part of one. Where there are
 * several any of them will do. What is no message is looked for as it stands.
 */
export function wordsOf(english: Record<string, string>, french: Record<string, string>): Words {
  const [told, said] = [phrasesOf("en", english), phrasesOf("fr", french)];
  const values = (phrase: string) => String([...new Set(phrase.match(VALUE))].sort());
  const messages = [...told].flatMap(([id, phrases]) =>
    phrases.map((phrase) => {
      const ways = said.get(id) ?? [];
      const alike = ways.filter((way) => values(way) === values(phrase));
      const words = new Set(wordsIn(phrase.toLowerCase()));
      return { atoms: atomsOf(phrase), words, french: alike.length ? alike : ways };
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
function phrasesOf(language: string, texts: Record<string, string>): Map<string, string[]> {
  const all = Object.entries(texts).flatMap(([id, text]) => [
    [id, text],
    ...[...text.matchAll(/<(\d+)>([^<{]+)<\/\1>/g)].map(([, n, tagged]) => [`${id} ${n}`, tagged]),
  ]);
  const asJson = { namespace: "json" } as const;
  const { source } = createCompiledCatalog(language, Object.fromEntries(all), asJson);
  const compiled = Object.entries<Token[]>(JSON.parse(source).messages);
  return new Map(compiled.map(([id, tokens]) => [id, phrases(tokens).map(withoutTags)]));
}

/** One for each plural. */
function phrases(tokens: Token[], counted = ""): string[] {
  const waysOf = (token: Token) => {
    if (typeof token === "string") return [token === "#" ? `{${counted}}` : token];
    const [name, , branches] = token;
    if (typeof branches !== "object") return [`{${name}}`];
    return Object.values(branches).flatMap((one) => (Array.isArray(one) ? phrases(one, name) : []));
  };
  return tokens.reduce<string[]>(
    (all, token) => all.flatMap((before) => waysOf(token).map((way) => before + way)),
    [""],
  );
}

/** What stands in an empty tag is a value. */
const withoutTags = (text: string) =>
  text
    .replace(/<(\d+)\/>/g, "{$1/}")
    .replace(/<\/?\d+>/g, "")
    .replace(/\s+/g, " ");

function translated(messages: Message[], asked: string | RegExp, how: How): string | RegExp {
  const isText = typeof asked === "string";
  const flags = isText ? (how === "whole" ? "" : "i") : asked.flags;
  const ways = isText ? [[ofText(asked, how === "whole")]] : ofExpression(asked.source);
  const begins = isText && how === "part" ? "(?<![A-Za-zÀ-ÿ])" : "";
  let isTold = /\$\d|\\\$|, \d{4}/.test(String(asked));
  const said = ways.map((way) => {
    const each = way.map((text) => {
      const { told, said } = french(messages, text);
      isTold ||= told > 0;
      const start = text.startsWith(OPEN) ? begins : "^\\s*";
      return `${start}(?:${said})${text.endsWith(OPEN) ? "" : "\\s*$"}`;
    });
    if (each.length === 1) return each[0];
    return each.map((one) => `(?=${one.startsWith("^") ? "" : "[\\s\\S]*"}${one})`).join("");
  });
  return isTold ? new RegExp(said.join("|"), flags) : asked;
}

/** Texts may stand beside one another, with amounts or marks between them. */
const BESIDE = /^(.*?)(\s*[-−]?[\uE001-\uF8FF]+\s*|\s*[:·•|()]\s*|,\s)(.*)$/;

/** It may be of something else: a product, a wire, what somebody is called. */
const isShort = (text: string) => wordsIn(text).length <= 2;

function french(messages: Message[], asked: string): Told {
  if (!letters(asked)) return { told: 0, said: asIs(asked) };
  const fits = best(messages, asked);
  const ways = fits.map(({ message, told, values }): Told => {
    const spoken = new Map<string, string>();
    for (const [name, value] of values) {
      const one = french(messages, value);
      told += one.told;
      const said = isShort(value) ? anyOf([one.said, asIs(value)]) : one.said;
      const [start, end] = [value.startsWith(OPEN), value.endsWith(OPEN)];
      spoken.set(name, `${start ? ".*" : ""}${said}${end ? ".*" : ""}`);
    }
    const inWords = (part: string) => (isValue(part) ? (spoken.get(part) ?? ".*") : asIs(part));
    const said = message.french.map((text) => text.split(VALUE).map(inWords).join(""));
    return { told, said: anyOf(said) };
  });
  const [, before = "", mark = asked, after = ""] = BESIDE.exec(asked) ?? [];
  const [one, other] = [french(messages, before), french(messages, after)];
  ways.push({ told: one.told + other.told, said: one.said + asIs(mark) + other.said });
  const told = Math.max(...ways.map((way) => way.told));
  const said = ways.filter((way) => way.told === told).map((way) => way.said);
  // Few of many letters may be the same by chance.
  const own = Math.max(fits[0]?.told ?? 0, one.told + other.told);
  const isPart = fits.length > 0 && fits.every(({ left }) => left > 0);
  if ((isPart && isShort(asked)) || own * 2 < letters(asked)) said.push(asIs(asked));
  return { told, said: anyOf(said) };
}

function anyOf(said: string[]): string {
  const all = [...new Set(said)];
  return all.length > 1 ? `(?:${all.join("|")})` : all.join("");
}

type Fit = { message: Message; told: number; left: number; values: Map<string, string> };

/** Those that tell most of it. */
function best(messages: Message[], asked: string): Fit[] {
  const words = wordsIn(asked.toLowerCase());
  const [first = ""] = atomsOf(asked.toLowerCase().replace(OPEN, ""));
  let most = 1;
  const found = messages.flatMap((message): Fit[] => {
    const shared = words.filter((word) => message.words.has(word));
    if (shared.join("").length < most) return [];
    const all = letters(message.atoms.join(""));
    return message.atoms.flatMap((atom, at): Fit[] => {
      const mayBegin = at === 0 || asked.startsWith(OPEN);
      if (!mayBegin || (!isValue(atom) && atom.toLowerCase() !== first)) return [];
      const atoms = message.atoms.slice(at);
      const [whole, ...told] = expressionOf(atoms).exec(asked) ?? [];
      if (whole === undefined) return [];
      const names = atoms.filter(isValue);
      const values = new Map(told.flatMap((value, n) => (value ? [[names[n] ?? "", value]] : [])));
      const same = letters(asked) - letters([...values.values()].join(" "));
      most = Math.max(most, same);
      return [{ message, told: same, left: all - same, values }];
    });
  });
  return found.filter((fit) => fit.told === most);
}

const isValue = (atom: string) => atom.length > 1 && atom.startsWith("{");
const known = new Map<string, RegExp>();

/** Finds a text that begins like this and goes on to the end, or to where it is open. */
function expressionOf(atoms: string[]): RegExp {
  const key = atoms.join("");
  const rest = atoms.reduceRight(
    (after, atom) =>
      isValue(atom)
        ? `(.+?)(?:${after}|(?<=${OPEN})$)`
        : `${atom.replace(/\W/, "\\$&")}(?:${after}|${OPEN})`,
    "$",
  );
  const expression = known.get(key) ?? new RegExp(`^${OPEN}*?${rest}`, "i");
  known.set(key, expression);
  return expression;
}
