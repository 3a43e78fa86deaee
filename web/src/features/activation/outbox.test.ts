import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { forgetAtLogout } from "~/shared/storage";
import { aRunOnScreen } from "~/testing/a-run-on-screen";
import { aLaterActivation } from "~/testing/an-activation";
import { drop, type Kept, keep, kept, reachOf, sendKept, sendOne } from "./outbox";

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

beforeEach(() => localStorage.clear());
afterEach(() => {
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
