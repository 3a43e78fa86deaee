import { expect, test } from "vitest";
import { aPerson } from "~/testing/a-person";
import { mustSignIn, nextFor, safeNext } from "./access";

const user = aPerson();

test.each([
  ["/profile", "/profile"],
  ["/search?s=12&b=one&b=two", "/search?s=12&b=one&b=two"],
  ["/", undefined],
  ["/?scope=dealer", undefined],
  ["/login?next=/x", undefined],
  ["/logout/", undefined],
])("next of %s is %s", (href, expected) => {
  expect(nextFor(href)).toBe(expected);
});

test.each([
  ["/profile", "/profile"],
  ["/activation/device?id=1#resume=x", "/activation/device?id=1#resume=x"],
  [undefined, "/"],
  ["", "/"],
  ["//evil.example/", "/"],
  ["/\\evil.example/", "/"],
  ["https://evil.example/", "/"],
  ["javascript:alert(1)", "/"],
  ["/a\nb", "/"],
  ["/login", "/"],
  ["profile", "/"],
  ["/no-such-page", "/"],
])("a next of %s leads to %s", (next, expected) => {
  expect(safeNext(next)).toBe(expected);
});

test("only an anonymous visitor is sent to sign in, with the way back", () => {
  expect(mustSignIn({ state: "anonymous" }, "/profile?x=1")).toEqual({
    to: "/login",
    search: { next: "/profile?x=1" },
  });
  expect(mustSignIn({ state: "signed-in", user, token: "t" }, "/profile")).toBeUndefined();
  expect(mustSignIn({ state: "expired", user }, "/profile")).toBeUndefined();
});
