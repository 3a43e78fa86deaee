import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useWaiting } from "~/shared/kept/waiting";
import { begin, carry, end, expire, recognise } from "~/shared/session/session";
import { forgetAtLogout } from "~/shared/storage";
import { aPerson, aWork } from "~/testing/a-person";
import { aRunOnScreen } from "~/testing/runs/a-run-on-screen";
import { aLaterActivation } from "~/testing/runs/an-activation";
import {
  adopt,
  drop,
  endRun,
  isAtHand,
  type Kept,
  keep,
  kept,
  reachOf,
  sendKept,
  sendOne,
  watchOutbox,
} from "./outbox";

function aKept(more: Partial<Kept> & { id?: string; seq?: number } = {}): Kept {
  const { id = "a1", seq = 3, ...rest } = more;
  return {
    key: `key-${id}-${seq}`,
    at: { id, seq, view: { step: "device-testing" } },
    device: "FT-X1-00000042",
    action: { type: "SUBMIT", data: {} },
    reach: "record",
    kept: "2026-08-03T12:00:00Z",
    ...rest,
  };
}

/** What was sent, as run and idempotency key; the server answers with these in turn. */
function served(...answers: (Response | "network")[]) {
  const sent: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) => {
    const request = asked as Request;
    const [, , , id] = new URL(request.url).pathname.split("/");
    sent.push(`${id} ${request.headers.get("Idempotency-Key")}`);
    const answer = answers.shift() ?? Response.json({ id });
    if (answer === "network") throw new TypeError("Failed to fetch");
    return answer;
  });
  return sent;
}

const refusal = () =>
  Response.json(
    { code: "stale_sequence", detail: "This activation was changed elsewhere." },
    { status: 409, headers: { "Content-Type": "application/problem+json" } },
  );

beforeEach(() => {
  localStorage.clear();
  begin(aPerson(), "token");
});
afterEach(() => {
  carry(undefined);
  end();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("what waits is sent in order under its own keys, and is gone then", async () => {
  const sent = served();
  keep(aKept({ id: "a1" }));
  keep(aKept({ id: "a2" }));
  await sendKept();
  expect(sent).toEqual(["a1 key-a1-3", "a2 key-a2-3"]);
  expect(kept()).toEqual([]);
});

test("a network that fails again stops the rest, which keeps its keys", async () => {
  const sent = served("network");
  keep(aKept({ id: "a1" }));
  keep(aKept({ id: "a2" }));
  await sendKept();
  expect(new Set(sent)).toEqual(new Set(["a1 key-a1-3"]));
  expect(kept().map(({ key }) => key)).toEqual(["key-a1-3", "key-a2-3"]);
});

test("what no longer fits stays and says why; the next run's is sent all the same", async () => {
  const sent = served(refusal());
  keep(aKept({ id: "a1" }));
  keep(aKept({ id: "a2" }));
  await sendKept();
  await sendKept();
  expect(sent).toEqual(["a1 key-a1-3", "a2 key-a2-3"]);
  expect(kept().map(({ at, refused }) => [at.id, refused?.code])).toEqual([
    ["a1", "stale_sequence"],
  ]);
  drop("key-a1-3");
  expect(kept()).toEqual([]);
});

test("what is written to the device is sent by a tap alone", async () => {
  const sent = served();
  const one = aKept({ reach: "device", action: { type: "SUBMIT", data: { mode: "add-on" } } });
  keep(one);
  await sendKept();
  expect(sent).toEqual([]);
  await sendOne(one);
  expect(sent).toEqual(["a1 key-a1-3"]);
});

test("one step keeps its last entry, and a sign-out takes all", () => {
  keep(aKept({ key: "first" }));
  keep(aKept({ key: "second" }));
  expect(kept().map(({ key }) => key)).toEqual(["second"]);
  forgetAtLogout();
  expect(kept()).toEqual([]);
});

test("a card number in a reason is not kept", () => {
  keep(aKept({ action: { type: "SKIP", reason: "paid by 4242 4242 4242 4242" } }));
  expect(kept()[0]?.action).toEqual({ type: "SKIP", reason: "paid by **** **** **** 4242" });
  expect(JSON.stringify(localStorage)).not.toContain("4242 4242");
});

test("what a passing failure held up is tried again after a pause that grows, and then no more", async () => {
  vi.useFakeTimers();
  const sent = served("network", "network");
  keep(aKept());
  const stop = watchOutbox();
  await vi.advanceTimersByTimeAsync(4_900);
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(sent).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(9_700);
  expect(sent).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(400);
  expect(sent).toEqual(Array(3).fill("a1 key-a1-3"));
  expect(kept()).toEqual([]);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(sent).toHaveLength(3);
  stop();
});

test("what a lost sign-in held up is sent once the person is signed in again", async () => {
  const sent = served();
  keep(aKept());
  expire();
  const stop = watchOutbox();
  await sendKept();
  expect(sent).toEqual([]);
  begin(aPerson(), "another token");
  await vi.waitFor(() => expect(kept()).toEqual([]));
  expect(sent).toEqual(["a1 key-a1-3"]);
  stop();
});

test("what waits is sent as soon as whoever was recognised without a signal is proven", async () => {
  const sent = served();
  end();
  recognise(aPerson(), aWork(false));
  keep(aKept());
  const stop = watchOutbox();
  await sendKept();
  expect(sent).toEqual([]);
  begin(aPerson(), "token");
  await vi.waitFor(() => expect(sent).toEqual(["a1 key-a1-3"]));
  stop();
});

test("a guest's link sends what was kept under it, and leaves that of another link unmarked", async () => {
  const sent = served();
  end();
  carry("the link of a1");
  keep(aKept({ id: "a1" }));
  carry("the link of a2");
  keep(aKept({ id: "a2" }));
  await sendKept();
  expect(sent).toEqual(["a2 key-a2-3"]);
  expect(kept().map(({ at, refused }) => [at.id, refused])).toEqual([["a1", undefined]]);
  expect(JSON.stringify(localStorage)).not.toContain("the link of");
  carry("the link of a1");
  await sendKept();
  expect(sent).toEqual(["a2 key-a2-3", "a1 key-a1-3"]);
});

test("what a person kept is not sent by the link of a run that they look at", async () => {
  const sent = served();
  keep(aKept());
  carry("the link of another run");
  await sendKept();
  expect(sent).toEqual([]);
  carry(undefined);
  await sendKept();
  expect(sent).toEqual(["a1 key-a1-3"]);
});

test("a run that is opened by a new link takes along what waited under its old one, and sends it", async () => {
  const sent = served();
  end();
  const now = new Date().toISOString();
  carry("the old link of a1");
  keep(aKept({ id: "a1", kept: now }));
  keep(aKept({ id: "a2", reach: "device", kept: now }));
  carry("the new link of a1");
  const stop = watchOutbox();
  await sendKept();
  expect(sent).toEqual([]);
  adopt("a1");
  await vi.waitFor(() => expect(sent).toEqual(["a1 key-a1-3"]));
  await vi.waitFor(() => expect(kept().map(({ at }) => at.id)).toEqual(["a2"]));
  expect(kept().map(isAtHand)).toEqual([false]);
  stop();
});

test("the page is told how much waits, and whose it is then", () => {
  const { result } = renderHook(useWaiting);
  const stop = watchOutbox();
  act(() => keep(aKept({ id: "a1", reach: "device" })));
  act(() => keep(aKept({ id: "a2", reach: "device" })));
  expect(result.current).toBe(2);
  act(() => drop("key-a1-3"));
  expect(result.current).toBe(1);
  act(() => end());
  expect(result.current).toBe(0);
  stop();
});

test("a store that is full keeps nothing, and says so", () => {
  keep(aKept({ id: "a1" }));
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("", "QuotaExceededError");
  });
  expect(keep(aKept({ id: "a2" }))).toBe(false);
  expect(kept().map(({ at }) => at.id)).toEqual(["a1"]);
});

test("what a person kept for a run that is over is not lost: it no longer fits, or is sent and refused", async () => {
  const closed = Response.json({ code: "closed", detail: "Over." }, { status: 410 });
  const sent = served(closed);
  keep(aKept({ id: "a1", seq: 3 }));
  keep(aKept({ id: "a1", seq: 4, reach: "device" }));
  keep(aKept({ id: "a2", reach: "device" }));
  endRun("a1");
  const refused = () => kept().map(({ key, refused }) => [key, refused?.code]);
  expect(refused()).toEqual([
    ["key-a1-3", undefined],
    ["key-a1-4", "closed"],
    ["key-a2-3", undefined],
  ]);
  await sendKept();
  expect(sent).toEqual(["a1 key-a1-3"]);
  expect(refused()[0]).toEqual(["key-a1-3", "closed"]);
});

test("what a guest kept ends with the run, or after 60 days", () => {
  served();
  carry("the link of a1");
  keep(aKept({ id: "a1", kept: new Date().toISOString() }));
  expect(endRun("a1")).toBe(true);
  expect(kept()).toEqual([]);
  expect(endRun("a1")).toBe(false);
  const day = 24 * 3_600_000;
  keep(aKept({ id: "a1", reach: "device", kept: new Date(Date.now() - 61 * day).toISOString() }));
  keep(aKept({ id: "a2", reach: "device", kept: new Date(Date.now() - 59 * day).toISOString() }));
  watchOutbox()();
  expect(kept().map(({ at }) => at.id)).toEqual(["a2"]);
});

test("what a guest's run ends with is not lost while it is being sent", async () => {
  let answer: (given: Response) => void = () => undefined;
  vi.spyOn(globalThis, "fetch").mockReturnValue(new Promise((given) => (answer = given)));
  carry("the link of a1");
  keep(aKept({ id: "a1", seq: 3 }));
  const sending = sendKept();
  expect(endRun("a1")).toBe(false);
  keep(aKept({ id: "a1", seq: 4, reach: "device" }));
  expect(endRun("a1")).toBe(true);
  expect(kept().map(({ key }) => key)).toEqual(["key-a1-3"]);
  answer(Response.json({ id: "a1" }));
  await sending;
  expect(kept()).toEqual([]);
});

test.each([
  ["device-testing", "SUBMIT", "record"],
  ["set-vehicle-details", "SUBMIT", "record"],
  ["system-settings", "SUBMIT", "record"],
  ["controller-option-tables", "SUBMIT", "device"],
  ["hardwire-x1max", "SUBMIT", "device"],
  ["verify-connection", "SUBMIT", undefined],
  ["send-welcome", "SUBMIT", undefined],
  ["send-welcome", "SKIP", "record"],
  ["complete-activation", "SUBMIT", undefined],
  ["device-testing", "ACT", undefined],
  ["keylocker-pin-codes", "SET_PIN", undefined],
] as const)("at %s a %s waits as %s", (step, type, reach) => {
  const { run } = aRunOnScreen(
    aLaterActivation(step, { allowed: ["SUBMIT", "SKIP", "ACT", "BACK"] }),
  );
  expect(reachOf(run, type)).toBe(reach);
});
