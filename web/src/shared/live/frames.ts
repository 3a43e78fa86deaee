import { EventSourceParserStream } from "eventsource-parser/stream";

/** What the live stream carries; `view` is the area's own. */
export type FlowEvent = {
  kind: string;
  id: string;
  rev: number;
  seq: number;
  state: string;
  allowed: string[];
  view: unknown;
};

/**
 * Reads an event stream to its end, and says whether it gave way to newer ones. `onBeat` is called for every chunk,
 * comments included.
 */
export async function readFrames(
  body: ReadableStream<Uint8Array>,
  onFlow: (event: FlowEvent) => void,
  onBeat: () => void,
): Promise<boolean> {
  let gaveWay = false;
  const text = new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>;
  const beats = new TransformStream<string, string>({
    transform(chunk, out) {
      onBeat();
      out.enqueue(chunk);
    },
  });
  const frames = body
    .pipeThrough(text)
    .pipeThrough(beats)
    .pipeThrough(new EventSourceParserStream());
  const reader = frames.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const { event, data } = next.value;
    if (event === "flow") onFlow(JSON.parse(data) as FlowEvent);
    else if (event === "team" || event === "order" || event === "own-case")
      onFlow(ofNews(event, data));
    else if (event === "business" || event === "signed-out") onFlow(ofSession(event, data));
    else if (event === "gave-way") gaveWay = true;
  }
  return gaveWay;
}

/** News of the sign-in itself, in the shape of a flow's: `state` is what happened, `view` carries its `code`. */
function ofSession(state: string, data: string): FlowEvent {
  const view: unknown = JSON.parse(data);
  return { kind: "session", id: "me", rev: 0, seq: 0, state, allowed: [], view };
}

/** A team, an order or a case of one's own of which something has changed; a team's `view` carries the moment of the change, `at`. */
function ofNews(kind: string, data: string): FlowEvent {
  const { id, ...view } = JSON.parse(data) as { id: string };
  return { kind, id, rev: 0, seq: 0, state: "", allowed: [], view };
}
