import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { renew } from "~/shared/api/fetch";
import { live } from "~/shared/live/live";
import { begin, end, expire, session } from "~/shared/session/session";
import { type StoredThing, storageKey } from "~/shared/storage";
import { aPerson } from "~/testing/a-person";
import { followSession } from "./session/session-news";

const THINGS: readonly StoredThing[] = [
  "recent_vehicle_searches",
  "chosen_vehicle",
  "activation_state",
  "activation_outbox",
  "wrong_site",
];

const held = () => THINGS.filter((thing) => localStorage.getItem(storageKey(thing, "u1")) !== null);

let unfollow: (() => void) | undefined;
beforeEach(() => {
  begin(aPerson(), "t");
  for (const thing of THINGS) localStorage.setItem(storageKey(thing, "u1"), "1");
});
afterEach(() => {
  unfollow?.();
  end();
  localStorage.clear();
  vi.restoreAllMocks();
});

async function refused(code: string): Promise<void> {
  vi.spyOn(globalThis, "fetch").mockResolvedValue(Response.json({ code }, { status: 401 }));
  await renew();
}

test.each([
  ["the second factor was turned off", () => end("mfa-off")],
  ["what one signs in with was changed", () => refused("credentials_changed")],
  ["the device network does not know them", () => refused("no_drone_profile")],
  ["somebody else signed in", () => endByIdentity()],
  ["it was ended on another device", () => endByNews()],
  ["it ran out, and one goes on without logging in", () => goOnWithout()],
])(
  "what the browser keeps of a person goes, but for what waits to be sent: %s",
  async (_, leave) => {
    await leave();
    expect(session().state).toBe("anonymous");
    expect(held()).toEqual(["activation_outbox", "wrong_site"]);
  },
);

test("a sign-in that merely ran out keeps it", () => {
  expire();
  expect(held()).toEqual(THINGS);
});

/** The page was loaded anew twice already. */
function endByIdentity(): Promise<void> {
  sessionStorage.setItem("identity_reloads", "2");
  return refused("identity_mismatch");
}

function endByNews(): void {
  let hear: Parameters<typeof live.follow>[1] = () => undefined;
  vi.spyOn(live, "follow").mockImplementation((_, told) => {
    hear = told;
    return () => undefined;
  });
  unfollow = followSession();
  hear({ state: "ended", view: {} } as never);
}

function goOnWithout(): void {
  expire();
  end();
}
