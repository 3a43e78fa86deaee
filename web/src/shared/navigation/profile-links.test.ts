import { expect, test } from "vitest";
import { aPerson, aRep, aWork } from "~/testing/a-person";
import { profileLinks } from "./profile-links";

const seen = (...of: Parameters<typeof profileLinks>) =>
  profileLinks(...of).map(({ to, needsBusiness }) => (needsBusiness ? `${to} (off)` : to));

test.each([
  ["an installer", aPerson(), undefined, ["/profile", "/rewards"]],
  [
    "a purchaser",
    aPerson({ purchasing_rights: true }),
    undefined,
    ["/my-orders", "/profile", "/rewards"],
  ],
  [
    "an owner",
    aPerson({ is_owner: true, purchasing_rights: true }),
    undefined,
    ["/my-orders", "/profile", "/my-business", "/rewards", "/billing"],
  ],
  [
    "a rep without a business",
    aRep(),
    aWork(false),
    ["/my-orders (off)", "/profile", "/my-business (off)", "/rewards (off)", "/billing (off)"],
  ],
  [
    "an inside rep with a business",
    aRep(),
    aWork(true),
    ["/my-orders", "/profile", "/my-business", "/rewards", "/billing"],
  ],
  ["an outside rep with a business", aRep(true), aWork(true), ["/my-orders", "/billing"]],
  [
    "a retired owner",
    aPerson({ is_owner: true, is_retired: true }),
    undefined,
    ["/profile", "/rewards", "/billing"],
  ],
])("the profile menu of %s", (_, user, work, expected) => {
  expect(seen(user, work)).toEqual(expected);
});
