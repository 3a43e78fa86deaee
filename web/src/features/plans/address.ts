import { oneOf, query, text, texts } from "~/shared/navigation/query";

/** The slides of the choice; a change of plan starts at the second (devices spec 2). */
export const SLIDES = ["devices", "plan-type-selector", "plan-term-selector"] as const;
export type Slide = (typeof SLIDES)[number];

const KEY = /^[A-Z0-9-]{1,40}$/;

/** The address of the choice as it is typed: nothing in it can make the page fail. */
export const choiceSearch = query({
  device: texts,
  type: text(),
  plan: text(),
  slide: oneOf(SLIDES),
});

export type Choice = {
  devices: readonly string[];
  type: string | undefined;
  plan: string | undefined;
  slide: Slide;
};

/** What the address means: without a device the choice of devices comes first. */
export function choiceOf(search: ReturnType<typeof choiceSearch>): Choice {
  const given = search.device === undefined ? [] : [search.device].flat();
  const devices = [...new Set(given.map((key) => key.trim().toUpperCase()))].filter((key) =>
    KEY.test(key),
  );
  const slide = search.slide ?? (devices.length > 0 ? "plan-type-selector" : "devices");
  const first = devices.length === 0 ? "devices" : slide;
  return { devices, type: search.type, plan: search.plan, slide: first };
}
