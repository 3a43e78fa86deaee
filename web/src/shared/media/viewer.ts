import type { RefObject } from "react";
import { storeOf } from "~/shared/store";

export type Picture = { url: string; alt: string };
export type Viewed = (
  | { kind: "picture"; picture: Picture; group: readonly Picture[] }
  | { kind: "media"; url: string; title: string }
) & { button: RefObject<HTMLElement | null> };

const viewed = storeOf<Viewed | undefined>(undefined);

/** Opens a picture large for the button that was pressed, with the others of its group to leaf through. */
export function zoom(
  picture: Picture,
  button: HTMLElement,
  group: readonly Picture[] = [picture],
): void {
  viewed.set({ kind: "picture", picture, group, button: { current: button } });
}

export function play(url: string, title: string, button: HTMLElement): void {
  viewed.set({ kind: "media", url, title, button: { current: button } });
}

export function closeViewer(): void {
  viewed.set(undefined);
}

export const useViewed = viewed.use;
