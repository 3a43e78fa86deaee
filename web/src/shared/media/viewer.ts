import { storeOf } from "~/shared/store";

export type Picture = { url: string; alt: string };
export type Viewed =
  | { kind: "picture"; picture: Picture; group: readonly Picture[] }
  | { kind: "media"; url: string; title: string };

const viewed = storeOf<Viewed | undefined>(undefined);

/** Opens a picture large, with the others of its group to leaf through. */
export function zoom(picture: Picture, group: readonly Picture[] = [picture]): void {
  viewed.set({ kind: "picture", picture, group });
}

export function play(url: string, title: string): void {
  viewed.set({ kind: "media", url, title });
}

export function closeViewer(): void {
  viewed.set(undefined);
}

export const useViewed = viewed.use;
