import { i18n, type Messages } from "@lingui/core";
import { afterEach, expect, test } from "vitest";
import { dayInWords, momentInFigures } from "~/shared/time/day";
import { messages } from "./en.po";
import { speak, type Texts, withTexts } from "./texts";

afterEach(() => i18n.loadAndActivate({ locale: "en", messages }));

const textsOf = (en: Messages, fr: Messages): Texts => ({
  en: async () => ({ messages: en }),
  fr: async () => ({ messages: fr }),
});

test("a script asked for while another language is on its way has its texts in that language", async () => {
  let arrive: (texts: { messages: Messages }) => void = () => undefined;
  const slow = new Promise<{ messages: Messages }>((resolve) => {
    arrive = resolve;
  });
  const change = speak("fr", { ...textsOf({ hello1: "Hello" }, {}), fr: () => slow });
  const script = await withTexts(
    textsOf({ later1: "Later" }, { later1: "Plus tard" }),
    async () => 7,
  );
  expect(script).toBe(7);
  expect(i18n._("later1")).toBe("Later");
  arrive({ messages: { hello1: "Bonjour" } });
  await change;
  expect(i18n._("hello1")).toBe("Bonjour");
  expect(i18n._("later1")).toBe("Plus tard");
});

test("a script that did not come holds up no language, and one that came without its texts does", async () => {
  const lost = () => Promise.reject(new TypeError("no network"));
  const first = textsOf({ hello2: "Hello" }, { hello2: "Bonjour" });
  await withTexts({ en: lost, fr: lost }, lost).catch(() => undefined);
  await speak("fr", first);
  expect(i18n._("hello2")).toBe("Bonjour");
  let isLost = true;
  const texts = textsOf({}, {});
  await withTexts({ ...texts, en: () => (isLost ? lost() : texts.en()) }, async () => 7);
  await expect(speak("en", first)).rejects.toThrow("no network");
  isLost = false;
});

test.each([
  ["en", "11/05/2026, 2:05:09 PM", "Nov 5, 2026"],
  ["fr", "2026-11-05 14 h 05 min 09 s", "5 nov. 2026"],
] as const)("days and times are written as in Canada: %s", async (language, moment, day) => {
  await speak(language, textsOf({}, {}));
  const plain = (text: string) => text.replace(/\s/g, " ");
  expect(plain(momentInFigures(i18n, "2026-11-05T14:05:09"))).toBe(moment);
  expect(plain(dayInWords(i18n, "2026-11-05"))).toBe(day);
});
