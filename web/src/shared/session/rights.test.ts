import { expect, test } from "vitest";
import { aPerson, aRep } from "~/testing/a-person";
import { activates, asksForVisit, readsVisits, runsBusiness } from "./rights";

test.each([
  ["an owner", { is_owner: true }, true],
  ["a rep", { is_sales_rep: true }, true],
  ["a retired owner", { is_owner: true, is_retired: true }, false],
  ["a retired rep", { is_sales_rep: true, is_retired: true }, false],
  ["an installer", {}, false],
])("whether %s runs a business", (_, more, expected) => {
  const now = { state: "signed-in", user: aPerson(more), token: "t" } as const;
  expect(runsBusiness(now)).toBe(expected);
});

test.each([
  ["an installer", aPerson(), true],
  ["an inside rep", aRep(), true],
  ["an outside rep", aRep(true), true],
  ["an administrator", aPerson({ roles: ["admin"] }), true],
  ["a customer", aPerson({ roles: ["consumer"] }), false],
  ["somebody who has retired", aPerson({ roles: ["retired"], is_retired: true }), false],
])("whether %s has activations of their own", (_, user, expected) => {
  expect(activates({ state: "signed-in", user, token: "t" })).toBe(expected);
});

test.each([
  ["an installer", aPerson(), true, true],
  ["an inside rep", aRep(), true, false],
  ["a customer", aPerson({ roles: ["consumer"] }), true, false],
  ["an outside rep", aRep(true), true, false],
  ["an administrator", aPerson({ roles: ["admin"] }), true, false],
  ["somebody who has retired", aPerson({ roles: ["retired"], is_retired: true }), false, false],
])("whether %s reads service visits, and asks for one", (_, user, reads, asks) => {
  const now = { state: "signed-in", user, token: "t" } as const;
  expect([readsVisits(now), asksForVisit(now)]).toEqual([reads, asks]);
});
