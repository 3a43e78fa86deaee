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

/** Reads an event stream to its end. `onBeat` is called for every chunk, comments included. */
export async function readFrames(
  body: ReadableStream<Uint8Array>,
  onFlow: (event: FlowEvent) => void,
  onBeat: () => void,
): Promise<void> {
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
    if (next.value.event === "flow") onFlow(JSON.parse(next.value.data) as FlowEvent);
  }
}
