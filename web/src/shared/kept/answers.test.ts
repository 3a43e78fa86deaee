import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { begin, end } from "~/shared/session/session";
import { aPerson, aWork } from "~/testing/a-person";
import { aKeptAnswer } from "~/testing/runs/a-kept-answer";
import { someCaches } from "~/testing/some-caches";
import { dropAnswer, KEPT_MS, keepAnswer, keepWho, restored } from "./answers";
import { ANSWERS, forgetKept } from "./forget";

const ANN = { user: aPerson(), work: aWork(false) };
const ids = async () => (await restored())?.answers.map(({ id }) => id);

beforeEach(async () => {
  vi.stubGlobal("caches", someCaches());
  await keepWho(ANN);
});
afterEach(() => {
  end();
  vi.unstubAllGlobals();
});

test("five activations are kept, the newest first, and each once", async () => {
  for (let number = 1; number <= 7; number++)
    await keepAnswer(aKeptAnswer({ id: `a${number}`, at: Date.now() - 1000 + number }));
  await keepAnswer(aKeptAnswer({ id: "a4", at: Date.now() }));
  expect(await ids()).toEqual(["a4", "a7", "a6", "a5", "a3"]);
});

test("devices and their list do not take the place of runs", async () => {
  await keepAnswer(aKeptAnswer());
  for (let number = 1; number <= 11; number++)
    await keepAnswer(aKeptAnswer({ kind: "device", id: `d${number}`, at: Date.now() + number }));
  await keepAnswer(aKeptAnswer({ kind: "devices", id: "" }));
  const kinds = (await restored())?.answers.map(({ kind }) => kind);
  expect(kinds?.filter((kind) => kind === "device")).toHaveLength(10);
  expect(new Set(kinds)).toEqual(new Set(["activation", "device", "devices"]));
});

test("who they are kept for is kept with them", async () => {
  await keepAnswer(aKeptAnswer());
  expect(await restored()).toMatchObject({ user: { id: "u1" }, work: ANN.work });
});

test.each([
  ["another person", { user: aPerson({ id: "u2" }), work: aWork(false) }],
  ["another business", { user: aPerson(), work: aWork(true) }],
])("they go as soon as it is %s", async (_, next) => {
  await keepAnswer(aKeptAnswer());
  await keepWho(next);
  expect(await restored()).toBeUndefined();
  await keepWho(ANN);
  expect(await restored()).toBeUndefined();
});

test("another person who is here by now is shown none of it", async () => {
  await keepAnswer(aKeptAnswer());
  begin(aPerson({ id: "u2" }), "t", "in this tab alone");
  expect(await restored()).toBeUndefined();
});

test("a store that is broken holds up no sign-out", async () => {
  const broken = () => {
    throw new DOMException("no", "SecurityError");
  };
  vi.stubGlobal("caches", { delete: broken });
  await expect(forgetKept()).resolves.toBeUndefined();
});

test("what is older than a week is not shown, and goes", async () => {
  await keepAnswer(aKeptAnswer({ at: Date.now() - KEPT_MS - 1000 }));
  expect(await restored()).toBeUndefined();
  await keepWho(ANN);
  const paths = (await (await caches.open(ANSWERS)).keys()) as unknown as string[];
  expect(paths).toEqual(["/kept-answers/who"]);
});

test.each([
  ["a sign-out", () => end()],
  ["another's sign-in", () => begin(aPerson({ id: "u2" }), "t")],
])("%s takes them along", async (_, leave) => {
  begin(aPerson(), "t");
  await keepAnswer(aKeptAnswer());
  leave();
  await vi.waitFor(async () => expect(await caches.has(ANSWERS)).toBe(false));
});

test("what is no longer the person's is dropped alone", async () => {
  await keepAnswer(aKeptAnswer({ id: "a1" }));
  await keepAnswer(aKeptAnswer({ id: "a2" }));
  await dropAnswer("activation", "a1");
  expect(await ids()).toEqual(["a2"]);
});

test("digits that prove possession and secrets of links are left out", async () => {
  const data = { device: { iccid_last_digits: "48356" }, resume_token: "secret" };
  await keepAnswer(aKeptAnswer({ data }));
  expect((await restored())?.answers[0]?.data).toEqual({
    device: { iccid_last_digits: null },
    resume_token: null,
  });
});

test("what is none of ours is passed over", async () => {
  await keepAnswer(aKeptAnswer());
  const cache = await caches.open(ANSWERS);
  await cache.put("/kept-answers/other", Response.json({ id: 7 }));
  await cache.put("/kept-answers/broken", new Response("{"));
  expect(await ids()).toEqual(["a1"]);
});
