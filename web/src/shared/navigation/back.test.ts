import { expect, test } from "vitest";
import { type Before, backFrom, pageBefore, visited } from "./back";
import { type Crumb, trail } from "./routes";

const crumb = (to: string): Crumb => ({ to, label: { id: to, message: to } });
const before = (path: string): Before => ({ path, search: {}, by: 2 });
const at = (place: number, pathname: string, search: object = {}) => ({
  pathname,
  search,
  state: { __TSR_index: place },
});
const TYPE = "/activation/select-activation-type";

test.each([
  ["/wiring", [crumb("/wiring")], undefined, { kind: "screen", to: "/wiring" }],
  [
    "/wiring/print",
    [crumb("/wiring"), crumb("/wiring/print")],
    undefined,
    { kind: "up", to: "/wiring" },
  ],
  ["/activation/device", trail("/activation/device"), before("/"), { kind: "step" }],
  [TYPE, trail(TYPE), before("/"), { kind: "up", to: "/activation" }],
  [TYPE, trail(TYPE), before("/activation"), { kind: "pages", by: 2 }],
  ["/terms", trail("/terms"), before("/shipping"), { kind: "pages", by: 2 }],
  ["/terms", trail("/terms"), undefined, { kind: "history" }],
])("Back from %s", (path, crumbs, left, expected) => {
  expect(backFrom(path, crumbs, left)).toEqual(expected);
});

test("the page before is the one that was left, as it was", () => {
  visited(at(0, "/search", { s: "remote" }));
  visited(at(1, "/search", { s: "remote", p: 3 }));
  visited(at(2, "/product/5"));
  expect(pageBefore(at(2, "/product/5"))).toEqual({
    path: "/search",
    search: { s: "remote", p: 3 },
    by: 1,
  });
});

test("others of the same screen are passed over", () => {
  visited(at(0, "/search"));
  visited(at(1, "/product/5"));
  visited(at(2, "/product/6/"));
  expect(pageBefore(at(2, "/product/6"))).toMatchObject({ path: "/search", by: 2 });
  expect(pageBefore(at(0, "/search"))).toBeUndefined();
});

test("one that was gone back from is not before any more", () => {
  visited(at(0, "/"));
  visited(at(1, "/activation"));
  visited(at(2, TYPE, { device: "FT-X1-00000042" }));
  visited(at(1, "/activation"));
  expect(pageBefore(at(1, "/activation"))).toMatchObject({ path: "/", by: 1 });
});
