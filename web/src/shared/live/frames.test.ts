import { expect, test } from "vitest";
import { type FlowEvent, readFrames } from "./frames";

function streamOf(...chunks: string[]): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder();
  return new ReadableStream({
    start(out) {
      for (const chunk of chunks) out.enqueue(bytes.encode(chunk));
      out.close();
    },
  });
}

test("flow events come through whatever the chunks, comments count as a sign of life", async () => {
  const heard: FlowEvent[] = [];
  let beats = 0;
  const event = { kind: "activation", id: "a1", rev: 4, seq: 2, state: "x", allowed: [], view: {} };
  const text = `event: flow\nid: 4\ndata: ${JSON.stringify(event)}\n\n`;
  await readFrames(
    streamOf(text.slice(0, 20), text.slice(20), ": alive\n\n", "event: other\ndata: {}\n\n"),
    (one) => heard.push(one),
    () => {
      beats += 1;
    },
  );
  expect(heard).toEqual([event]);
  expect(beats).toBe(4);
});

test("news of the sign-in are told in the shape of a flow's", async () => {
  const body = streamOf(
    'event: business\ndata: {"code":"N1001"}\n\n',
    'event: signed-out\ndata: {"code":"signed_out"}\n\nevent: other\ndata: 1\n\n',
  );
  const heard: unknown[] = [];
  await readFrames(
    body,
    ({ kind, id, state, view }) => heard.push([kind, id, state, view]),
    () => {},
  );
  expect(heard).toEqual([
    ["session", "me", "business", { code: "N1001" }],
    ["session", "me", "signed-out", { code: "signed_out" }],
  ]);
});
