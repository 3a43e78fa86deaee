import { useSyncExternalStore } from "react";
import { authorised } from "~/shared/api/fetch";
import { onSession } from "~/shared/session/session";
import { type FlowEvent, readFrames } from "./frames";

export type Link = "idle" | "connecting" | "live" | "lost";

const SILENCE_MS = 40_000; // two heartbeats of 15 s and some
const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 8_000;

/** One stream for the whole tab, whatever is followed: HTTP/1.1 has few connections. */
class Live {
  private readonly followed = new Map<string, Set<(event: FlowEvent) => void>>();
  private readonly watchers = new Set<() => void>();
  private running: AbortController | undefined;
  private restart: ReturnType<typeof setTimeout> | undefined;
  private wait = FIRST_WAIT_MS;
  private link: Link = "idle";
  /** The stream gave way to those of other tabs, and nobody looks at this one. */
  private rests = false;

  constructor() {
    window.addEventListener("online", () => this.again(0));
    window.addEventListener("offline", () => this.drop());
    onSession(() => this.again(50));
    window.addEventListener("focus", () => this.look());
    document.addEventListener("visibilitychange", () => this.look());
  }

  /** Listens to one flow (`activation:ID`). The present view comes first, so nothing needs replaying. */
  follow(name: string, listener: (event: FlowEvent) => void): () => void {
    const held = this.followed.get(name) ?? new Set();
    const fresh = held.size === 0;
    held.add(listener);
    this.followed.set(name, held);
    if (fresh) this.again(30);
    return () => {
      held.delete(listener);
      if (held.size > 0) return;
      this.followed.delete(name);
      this.again(30);
    };
  }

  readonly watch = (watcher: () => void): (() => void) => {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  };

  readonly state = (): Link => this.link;

  private become(link: Link): void {
    if (link === this.link) return;
    this.link = link;
    for (const watcher of this.watchers) watcher();
  }

  private look(): void {
    if (!this.rests || document.visibilityState === "hidden") return;
    this.rests = false;
    this.again(0);
  }

  private drop(): void {
    this.running?.abort();
    if (this.followed.size > 0) this.become("lost");
  }

  private again(delay: number): void {
    clearTimeout(this.restart);
    this.restart = setTimeout(() => {
      this.running?.abort();
      this.running = undefined;
      if (this.followed.size === 0 || this.rests) this.become("idle");
      else void this.run();
    }, delay);
  }

  private async run(): Promise<void> {
    const stop = new AbortController();
    this.running = stop;
    if (this.link !== "lost") this.become("connecting");
    let silence: ReturnType<typeof setTimeout> | undefined;
    const beat = () => {
      clearTimeout(silence);
      silence = setTimeout(() => stop.abort(), SILENCE_MS);
    };
    let gaveWay = false;
    try {
      beat();
      const names = [...this.followed.keys()].sort().join(",");
      const url = new URL(`/v1/events?follow=${encodeURIComponent(names)}`, window.location.origin);
      const request = new Request(url, {
        signal: stop.signal,
        headers: { accept: "text/event-stream" },
      });
      const answer = await authorised(request);
      if (answer.status === 401 || answer.status === 403 || answer.status === 404) {
        this.become("idle"); // nothing to hear with this credential; a new one starts again
        return;
      }
      if (!answer.ok || !answer.body) throw new Error(`stream answered ${answer.status}`);
      this.wait = FIRST_WAIT_MS;
      this.become("live");
      gaveWay = await readFrames(answer.body, (event) => this.tell(event), beat);
    } catch {
      // fall through: a broken stream and an ended one are treated alike
    } finally {
      clearTimeout(silence);
    }
    if (this.running !== stop) return;
    if (gaveWay) {
      this.rests = document.visibilityState === "hidden";
      this.become("idle");
      if (!this.rests) this.again(LONGEST_WAIT_MS);
      return;
    }
    this.become("lost");
    this.again(this.wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT_MS);
  }

  private tell(event: FlowEvent): void {
    for (const listener of this.followed.get(`${event.kind}:${event.id}`) ?? []) listener(event);
  }
}

export const live = new Live();

export function useLink(): Link {
  return useSyncExternalStore(live.watch, live.state);
}
