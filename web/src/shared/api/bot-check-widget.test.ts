import { afterEach, expect, test } from "vitest";
import { tokenOf } from "./bot-check-widget";

type Options = Parameters<NonNullable<Window["turnstile"]>["render"]>[1];

afterEach(() => {
  window.turnstile = undefined;
});

function provided(answer: (options: Options) => void) {
  const removed: string[] = [];
  window.turnstile = {
    render: (_, options) => {
      queueMicrotask(() => answer(options));
      return "widget-1";
    },
    remove: (id) => removed.push(id),
  };
  return removed;
}

test("the widget's token is the answer, and nothing of the widget stays", async () => {
  const before = document.body.children.length;
  const removed = provided((options) => options.callback(`token of ${options.sitekey}`));
  expect(await tokenOf("https://away.test/api.js", "key")).toBe("token of key");
  expect(removed).toEqual(["widget-1"]);
  expect(document.body.children).toHaveLength(before);
});

test("a widget that fails hands out none, and nothing of it stays", async () => {
  const before = document.body.children.length;
  const removed = provided((options) => options["error-callback"]());
  await expect(tokenOf("https://away.test/api.js", "key")).rejects.toThrow("no token");
  expect(removed).toEqual(["widget-1"]);
  expect(document.body.children).toHaveLength(before);
});
