import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { begin, credential, end, isUnproven, recognise, session } from "~/shared/session/session";
import { aPerson, aWork } from "~/testing/a-person";
import { lateRenewal, prove, renew } from "./fetch";

let limits: AbortController[] = [];
let answer: (by: Response) => void = () => undefined;

/** A network that answers when it is told to, by a clock of its own. */
beforeEach(() => {
  limits = [];
  vi.spyOn(AbortSignal, "timeout").mockImplementation(() => {
    const limit = new AbortController();
    limits.push(limit);
    return limit.signal;
  });
  vi.spyOn(globalThis, "fetch").mockImplementation(
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
});
afterEach(async () => {
  answer(new Response(null, { status: 401 }));
  await lateRenewal();
  end();
  vi.restoreAllMocks();
});

function passLimits() {
  for (const limit of limits.splice(0)) limit.abort();
}

const renewed = (token: string) => Response.json({ access_token: token, user: aPerson() });

test("a network that never answers holds up neither the start nor a call for longer than a call may take", async () => {
  recognise(aPerson(), aWork(false));
  const asked = [renew(), prove()];
  expect(vi.mocked(AbortSignal.timeout).mock.calls).toEqual([[4000], [4000]]);
  passLimits();
  for (const one of asked) await expect(one).rejects.toMatchObject({ type: "abort" });
  expect(isUnproven()).toBe(true);
});

test("what is awaited no longer is not asked for again while it may come, and signs in when it does", async () => {
  recognise(aPerson(), aWork(false));
  const first = renew();
  passLimits();
  await expect(first).rejects.toMatchObject({ type: "abort" });
  const second = renew();
  passLimits();
  await expect(second).rejects.toMatchObject({ type: "abort" });
  const third = renew();
  expect(fetch).toHaveBeenCalledOnce();
  expect(vi.mocked(fetch).mock.lastCall?.[1]?.signal).toBeUndefined();
  answer(renewed("late"));
  await expect(third).resolves.toBe(true);
  expect([credential(), isUnproven()]).toEqual(["late", false]);
  void renew();
  expect(fetch).toHaveBeenCalledTimes(2);
});

test("whoever signed out meanwhile stays signed out", async () => {
  begin(aPerson(), "old");
  const asked = renew();
  end();
  answer(renewed("late"));
  await expect(asked).resolves.toBe(false);
  expect(session().state).toBe("anonymous");
});

test("so does whoever was known by what is kept alone", async () => {
  vi.spyOn(document, "cookie", "get").mockReturnValue("turnkey_session=1");
  const asked = renew();
  passLimits();
  await expect(asked).rejects.toMatchObject({ type: "abort" });
  recognise(aPerson(), aWork(false));
  end();
  answer(renewed("late"));
  await lateRenewal();
  expect(session().state).toBe("anonymous");
});

test("whoever signed in anew meanwhile stays signed in, by what they typed", async () => {
  recognise(aPerson(), aWork(false));
  const asked = renew();
  begin(aPerson(), "typed");
  answer(Response.json({ code: "credentials_changed" }, { status: 401 }));
  await expect(asked).resolves.toBe(true);
  expect(credential()).toBe("typed");
});

test("who was asked for ahead of the script is not asked for again, and once only", async () => {
  Object.assign(globalThis, { askedAhead: { renewed: Promise.resolve(renewed("ahead")) } });
  // biome-ignore lint/suspicious/noDocumentCookie: as the server sets it
  document.cookie = "turnkey_session=1";
  await expect(renew()).resolves.toBe(true);
  expect([credential(), vi.mocked(fetch).mock.calls.length]).toEqual(["ahead", 0]);
  end();
  const again = renew();
  expect(fetch).toHaveBeenCalledOnce();
  answer(renewed("later"));
  await expect(again).resolves.toBe(true);
  // biome-ignore lint/suspicious/noDocumentCookie: for the tests after this one
  document.cookie = "turnkey_session=; Max-Age=0";
});
