import { expect, test } from "vitest";
import { allowAnalytics, analyticsAllowed, forgetAtLogout, storageKey } from "./storage";

test("logout forgets recent vehicles and the activation's state, and keeps the rest", () => {
  for (const thing of ["recent_vehicle_searches", "activation_state", "wrong_site"] as const) {
    localStorage.setItem(storageKey(thing, "u1"), "1");
  }
  localStorage.setItem("language", "fr");
  forgetAtLogout();
  expect(Object.keys(localStorage).sort()).toEqual(["language", "wrong_site:u1"]);
});

test("a choice about visits is read back, and no choice is none", () => {
  expect(analyticsAllowed("")).toBeUndefined();
  expect(analyticsAllowed("other=1; allow-analytics=true")).toBe(true);
  expect(analyticsAllowed("allow-analytics=false")).toBe(false);
  allowAnalytics(true, 86400);
  expect(analyticsAllowed()).toBe(true);
});
