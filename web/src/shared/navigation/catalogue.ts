import type { I18n, MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
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

/** The specs' categories by slug, in the page's words. Brands are names and stay as they are. */
const CATEGORY_WORDS: Readonly<Record<string, MessageDescriptor>> = {
  accessories: msg`Accessories`,
  "bypass-module": msg`Bypass Module`,
  "back-up-camera": msg`Back-up Camera`,
  controllers: msg`Controllers`,
  "dash-cameras": msg`Dash Cameras`,
  "installer-tools": msg`Installer Tools`,
  security: msg`Security`,
  "sound-deadening": msg`Sound Deadening`,
  "radio-interface": msg`Radio Interface`,
  "remote-start": msg`Remote Start`,
  "remote-start-security": msg`Remote Start + Security`,
  "replacement-parts": msg`Replacement Parts`,
  "rf-kit": msg`RF Kit`,
  "t-harnesses": msg`T-Harnesses`,
};

/** The name of a category in the page's language; one that is not known here is called as the server calls it. */
export function categoryName(i18n: I18n, { name, slug }: Slugged): string {
  const words = Object.hasOwn(CATEGORY_WORDS, slug) ? CATEGORY_WORDS[slug] : undefined;
  return words ? i18n._(words) : name;
}

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
