import { afterEach, expect, test, vi } from "vitest";
import { tokenOf } from "./bot-check-widget";

type Options = Parameters<NonNullable<Window["turnstile"]>["render"]>[1];

afterEach(() => {
  window.turnstile = undefined;
  vi.useRealTimers();
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

test.each([
  ["fails", (options: Options) => void options["error-callback"]()],
  ["cannot run in this browser", (options: Options) => options["unsupported-callback"]()],
  ["was left unanswered", (options: Options) => options["timeout-callback"]()],
])("a widget that %s hands out none, and nothing of it stays", async (_, answer) => {
  const before = document.body.children.length;
  const removed = provided(answer);
  await expect(tokenOf("https://away.test/api.js", "key")).rejects.toThrow("no token");
  expect(removed).toEqual(["widget-1"]);
  expect(document.body.children).toHaveLength(before);
});

test("a widget that never answers holds no form for ever; one that asks the person waits for them", async () => {
  vi.useFakeTimers();
  const removed = provided(() => undefined);
  const silent = expect(tokenOf("https://away.test/api.js", "key")).rejects.toThrow("no token");
  await vi.advanceTimersByTimeAsync(30_000);
  await silent;
  expect(removed).toEqual(["widget-1"]);

  let answer: (token: string) => void = () => undefined;
  provided((options) => {
    options["before-interactive-callback"]();
    answer = options.callback;
  });
  const asked = tokenOf("https://away.test/api.js", "key");
  await vi.advanceTimersByTimeAsync(120_000);
  answer("a late token");
  expect(await asked).toBe("a late token");
});

test("a script that never comes holds no form for ever, and the next form asks for it anew", async () => {
  vi.useFakeTimers();
  const scripts = () => document.head.querySelectorAll("script[src*='away.test']");
  for (const _ of ["first", "second"]) {
    const form = expect(tokenOf("https://away.test/api.js", "key")).rejects.toThrow("be loaded");
    expect(scripts()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(4_000);
    await form;
    expect(scripts()).toHaveLength(0);
  }
});
