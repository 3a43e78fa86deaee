import { SEARCH_KEYS } from "~/shared/constants";

export type Slugged = { name: string; slug: string };

const slugged = (name: string): Slugged => ({
  name,
  slug: name
    .toLowerCase()
    .replaceAll("+", "")
    .replaceAll(/[^a-z0-9]+/g, "-"),
});

/** Shown when the categories cannot be fetched (shop spec 3). */
export const BUILT_IN_CATEGORIES: readonly Slugged[] = [
  "Accessories",
  "Bypass Module",
  "Back-up Camera",
  "Controllers",
  "Dash Cameras",
  "Installer Tools",
  "Security",
  "Sound Deadening",
  "Radio Interface",
  "Remote Start",
  "Remote Start + Security",
  "Replacement Parts",
  "RF Kit",
  "T-Harnesses",
].map(slugged);

/** Shown when the brands cannot be fetched (shop spec 3). */
export const BUILT_IN_BRANDS: readonly Slugged[] = [
  "Arctic Start",
  "Compustar",
  "Compustar Pro",
  "DroneMobile",
  "Firstech",
  "FTX",
  "iDatalink",
  "iDataStart",
  "Lucas Lighting",
  "Maestro",
  "Momento",
  "Soundskins",
  "Tesa Tape",
].map(slugged);

export const ofCategory = ({ slug }: Slugged) => ({ [SEARCH_KEYS.categories]: slug });
export const ofBrand = ({ slug }: Slugged) => ({ [SEARCH_KEYS.brands]: slug });
export const APPROVED_BRANDS = { [SEARCH_KEYS.brands]: "approved" };
