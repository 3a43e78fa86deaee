import { i18n, type Messages } from "@lingui/core";
import { afterEach, expect, test } from "vitest";
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
