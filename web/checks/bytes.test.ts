import { expect, test } from "vitest";
import { tooMuch, weigh } from "./bytes";

const PAGE = `
  <script type="module" src="/assets/index-a.js"></script>
  <link rel="modulepreload" href="/assets/react-b.js">
  <link rel="stylesheet" href="/assets/index-c.css">
  <link rel="preload" href="/assets/sans-d.woff2" as="font">
  <link rel="icon" href="/mark.svg">`;

test("what a page names is weighed, and nothing else", () => {
  const read: string[] = [];
  const weight = weigh(PAGE, (name) => {
    read.push(name);
    return Buffer.from("x".repeat(5000));
  });
  expect(read.sort()).toEqual([
    "/assets/index-a.js",
    "/assets/index-c.css",
    "/assets/react-b.js",
    "/assets/sans-d.woff2",
  ]);
  expect(weight.fonts).toBe(5);
  expect(weight.scripts).toBe(2);
  expect(weight.js).toBeCloseTo(2 * weight.css);
});

test("what is over its budget is named", () => {
  const budget = { js: 100, css: 10, fonts: 40, scripts: 12 };
  expect(tooMuch({ js: 100, css: 10, fonts: 40, scripts: 12 }, budget)).toEqual([]);
  expect(tooMuch({ js: 100.4, css: 10, fonts: 40, scripts: 13 }, budget)).toEqual([
    "js: 100.4, at most 100",
    "scripts: 13, at most 12",
  ]);
});
