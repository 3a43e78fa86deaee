import { act, renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { live } from "~/shared/live/live";
import { aKind, anAnswer, without } from "~/testing/runs/a-flow";
import type { FlowKind } from "./actor";
import type { RunAnswer } from "./position";
import { type FlowCalls, useFlow } from "./use-flow";

const reported: unknown[] = [];
let hear: (answer: RunAnswer) => void = () => undefined;

beforeEach(() => {
  reported.length = 0;
  vi.spyOn(live, "follow").mockImplementation((_, listener) => {
    hear = (answer) => act(() => listener(answer as unknown as Parameters<typeof listener>[0]));
    return () => undefined;
  });
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) => {
    if (asked instanceof Request && asked.url.endsWith("/v1/flows/drift"))
      reported.push(await asked.json());
    return new Response(null, { status: 204 });
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

type Calls = FlowCalls<RunAnswer, { type: string }>;

function follow(
  first: RunAnswer,
  kind: FlowKind = aKind(),
  send: Calls["send"] = async () => undefined,
) {
  const calls: Calls = {
    topic: "firmware:t1",
    kind,
    send,
    read: async () => null,
  };
  return renderHook(() => useFlow(first, calls)).result;
}

test("the live stream moves the chart, and the buttons with it", () => {
  const run = follow(anAnswer("two", 4, undefined, { allowed: ["SUBMIT"] }));
  expect(run.current.can("SUBMIT")).toBe(true);
  expect(run.current.turn).toBe("person");
  hear(anAnswer("two/busy", 5, "SUBMIT"));
  expect(run.current.state).toBe("two/busy");
  expect(run.current.step).toBe("two");
  expect(run.current.is("busy")).toBe(true);
  expect(run.current.can("SUBMIT")).toBe(false);
});

test("an edge that this page lacks is off, and the server is told once", async () => {
  const first = anAnswer("two", 4, undefined, { allowed: ["SUBMIT", "BACK"] });
  const run = follow(first, aKind(without("two", "SUBMIT")));
  expect(run.current.can("SUBMIT")).toBe(false);
  expect(run.current.can("BACK")).toBe(true);
  expect(run.current.drift).toBe(1);
  hear({ ...first, rev: 5 });
  await waitFor(() => expect(reported).toHaveLength(1));
  expect(reported).toEqual([
    {
      kind: "firmware",
      id: "t1",
      version: 1,
      rev: 4,
      state: "two",
      what: "allowed",
      name: "SUBMIT",
    },
  ]);
});

test("what is offered stays there while it is sent, and goes with its edge", () => {
  const first = anAnswer("two", 4, undefined, { allowed: ["SUBMIT", "BACK"] });
  const run = follow(first, aKind(), () => new Promise(() => undefined));
  act(() => run.current.ask({ type: "BACK" }));
  expect(run.current.sent).toBe("BACK");
  expect([run.current.offered("BACK"), run.current.can("BACK")]).toEqual([true, false]);
  const older = follow(first, aKind(without("two", "BACK")));
  expect(["SUBMIT", "BACK", "ACT"].filter((event) => older.current.offered(event))).toEqual([
    "SUBMIT",
  ]);
  expect(older.current.drift).toBe(1);
});

test("a page that knows its run tells nothing", () => {
  const run = follow(anAnswer("one", 4));
  hear(anAnswer("two", 5, "SUBMIT"));
  expect(run.current.drift).toBe(0);
  expect(reported).toEqual([]);
});
