import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isKnown } from "~/shared/navigation/routes";

type Icon = { src: string; type: string; sizes: string; purpose?: string };

const FOLDER = "public";
const told = JSON.parse(readFileSync(`${FOLDER}/manifest.webmanifest`, "utf8"));

test("the page names the manifest, and the app can be installed by it", () => {
  expect(readFileSync("index.html", "utf8")).toContain(
    '<link rel="manifest" href="/manifest.webmanifest" />',
  );
  expect(told).toMatchObject({
    name: "Turnkey",
    display: "standalone",
    start_url: "/",
    scope: "/",
  });
  const icons: Icon[] = told.icons;
  expect(icons.map(({ sizes }) => sizes)).toEqual(
    expect.arrayContaining(["192x192", "512x512", "any"]),
  );
  expect(icons.some(({ purpose }) => purpose === "maskable")).toBe(true);
});

test("each picture of an icon is there, and as large as it is said to be", () => {
  const icons: Icon[] = told.icons;
  for (const { src, type, sizes } of icons) {
    const picture = readFileSync(`${FOLDER}${src}`);
    if (type !== "image/png") continue;
    expect(`${picture.readUInt32BE(16)}x${picture.readUInt32BE(20)}`, src).toBe(sizes);
  }
});

test("each shortcut leads to a screen", () => {
  const shortcuts: { url: string }[] = told.shortcuts;
  expect(shortcuts.length).toBeGreaterThan(0);
  for (const { url } of shortcuts) expect(isKnown(url), url).toBe(true);
});
