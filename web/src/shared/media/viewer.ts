import { useSyncExternalStore } from "react";

export type Picture = { url: string; alt: string };
export type Viewed =
  | { kind: "picture"; picture: Picture; group: readonly Picture[] }
  | { kind: "media"; url: string; title: string };

let viewed: Viewed | undefined;
const listeners = new Set<() => void>();

/** Opens a picture large, with the others of its group to leaf through. */
export function zoom(picture: Picture, group: readonly Picture[] = [picture]): void {
  become({ kind: "picture", picture, group });
}

export function play(url: string, title: string): void {
  become({ kind: "media", url, title });
}

export function closeViewer(): void {
  become(undefined);
}

export function useViewed(): Viewed | undefined {
  return useSyncExternalStore(onViewed, () => viewed);
}

function onViewed(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function become(next: Viewed | undefined): void {
  viewed = next;
  for (const listener of listeners) listener();
}
