import { expect, test } from "vitest";
import type { Session } from "~/shared/session/session";
import { aPerson, aRep, aWork } from "~/testing/a-person";
import { guard } from "./guard";
import { screenOf } from "./routes";

const anonymous: Session = { state: "anonymous" };
const as = (user = aPerson(), chosen = false): Session => ({
  state: "signed-in",
  token: "t",
  user,
  work: aWork(chosen),
});
const expired: Session = { state: "expired", user: aPerson() };

test.each<[string, string, Session, ReturnType<typeof guard>]>([
  [
    "a visitor to a login page",
    "/profile?x=1",
    anonymous,
    { to: "/login", search: { next: "/profile?x=1" } },
  ],
  ["a visitor to an open page", "/activation", anonymous, undefined],
  ["a visitor to the login page", "/login", anonymous, undefined],
  ["a user on the login page", "/login", as(), { to: "/" }],
  ["a user on the login page with next", "/login?next=%2Fprofile", as(), { to: "/profile" }],
  ["a user on the login page with a bad next", "/login?next=%2F%2Fevil.example", as(), { to: "/" }],
  ["an ended session on a login page", "/profile", expired, undefined],
  ["an installer on the profile", "/profile", as(), undefined],
  ["an outside rep without a business", "/profile", as(aRep(true)), undefined],
  ["an outside rep with a business", "/profile", as(aRep(true), true), { to: "/" }],
  ["an inside rep with a business", "/profile", as(aRep(), true), undefined],
  ["an outside rep on the plans", "/subscriptions/plans", as(aRep(true)), undefined],
  ...[
    "/subscriptions",
    "/subscriptions/plans",
    "/cart/checkout/subscriptions",
    "/my-business",
    "/team",
    "/rewards",
    "/rewards/ivan",
  ].map((path): [string, string, Session, ReturnType<typeof guard>] => [
    `an outside rep with a business on ${path}`,
    path,
    as(aRep(true), true),
    { to: "/" },
  ]),
  ...[
    "/devices",
    "/devices/FT-X1-00000042",
    "/devices/FT-X1-00000042/firmware",
    "/visits",
    "/visits/v1",
  ].flatMap((path): [string, string, Session, ReturnType<typeof guard>][] => [
    [`an installer on ${path}`, path, as(), undefined],
    [
      `somebody who has retired on ${path}`,
      path,
      as(aPerson({ is_retired: true, roles: ["retired"] })),
      { to: "/" },
    ],
  ]),
  ["an installer on the audit", "/audit", as(), "not-found"],
  ["an administrator on the audit", "/audit", as(aPerson({ roles: ["admin"] })), undefined],
  [
    "after an end elsewhere",
    "/profile",
    { state: "anonymous", ended: "elsewhere" },
    { to: "/login", search: { next: "/profile", session: "true" } },
  ],
  [
    "after the second factor was turned off",
    "/profile",
    { state: "anonymous", ended: "mfa-off" },
    { to: "/login", search: { next: "/profile", session: "mfa" } },
  ],
])("%s", (_, href, now, expected) => {
  const screen = screenOf(href.split("?")[0] ?? "");
  if (!screen) throw new Error("not a screen");
  expect(guard(screen, now, href)).toEqual(expected);
});
