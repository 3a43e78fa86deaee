import { onlineManager, QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { activationQuery } from "~/features/activation/queries";
import { renew } from "~/shared/api/fetch";
import { hangsOnBusiness } from "~/shared/business";
import { keepAnswer, keepWho } from "~/shared/kept/answers";
import { begin, credential, end, isUnproven, session, workOf } from "~/shared/session/session";
import { aPerson, aWork } from "~/testing/a-person";
import { aKeptAnswer } from "~/testing/runs/a-kept-answer";
import { someCaches } from "~/testing/some-caches";
import { isKept, startFromKept } from "./start-from-kept";

const ANSWERS = [
  aKeptAnswer(),
  aKeptAnswer({ kind: "device", id: "FT-X1-00000042" }),
  aKeptAnswer({ kind: "devices", id: "" }),
];

const area = { reset: vi.fn(), reload: vi.fn() };
hangsOnBusiness("what was kept", area);

const begun: (() => void)[] = [];

async function start(cache: QueryClient): Promise<void> {
  begun.push(await startFromKept(cache));
}

beforeEach(() => {
  vi.stubGlobal("caches", someCaches());
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
});
afterEach(() => {
  for (const leave of begun.splice(0)) leave();
  end();
  onlineManager.setOnline(true);
  window.history.replaceState(null, "", "/");
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test.each([
  ["/activation/device?id=a1&step=power-on-device", true],
  ["/activation/device?id=a2", false],
  ["/activation", false],
  ["/devices", true],
  ["/devices?q=FT", false],
  ["/devices?state=in-work", false],
  ["/devices/ft-x1-00000042", true],
  ["/devices/FT-X1-00000043", false],
  ["/devices/FT-X1-00000042/firmware", false],
  ["/rewards", false],
  ["/", false],
])("without a signal %s is shown from what is kept: %s", (address, expected) => {
  expect(isKept(new URL(address, "https://turnkey.example"), ANSWERS)).toBe(expected);
});

test("with nothing kept the list of what is kept is shown and knows where it leads, and nobody is signed in", async () => {
  window.history.replaceState(null, "", "/activation/device?id=a1#secret");
  await start(new QueryClient());
  await start(new QueryClient());
  const { pathname, search, hash } = window.location;
  expect([pathname, session().state]).toEqual(["/offline", "anonymous"]);
  expect([new URLSearchParams(search).get("next"), hash]).toEqual([
    "/activation/device?id=a1",
    "#secret",
  ]);
});

test("whoever was signed in last sees the run as it was then, and is proven with the signal", async () => {
  await keepWho({ user: aPerson(), work: aWork(false) });
  const [run] = ANSWERS;
  if (!run) throw new Error("no run is kept");
  await keepAnswer(run);
  window.history.replaceState(null, "", "/activation/device?id=a1");
  const cache = new QueryClient();
  await start(cache);
  expect(window.location.pathname).toBe("/activation/device");
  const { queryKey } = activationQuery("a1");
  expect(cache.getQueryState(queryKey)).toMatchObject({ data: run.data, dataUpdatedAt: run.at });
  expect([session().state, isUnproven()]).toEqual(["signed-in", true]);

  const asked: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const address = request instanceof Request ? request.url : String(request);
    asked.push(new URL(address, window.location.origin).pathname);
    return address.endsWith("/refresh")
      ? Response.json({ access_token: "t", user: aPerson() })
      : Response.json({ user: aPerson(), ...aWork(false) });
  });
  window.dispatchEvent(new Event("online"));
  await vi.waitFor(() => expect(asked).toEqual(["/v1/auth/refresh", "/v1/auth/user"]));
  expect(isUnproven()).toBe(false);
  await vi.waitFor(() => expect(cache.getQueryState(queryKey)?.isInvalidated).toBe(true));
});

test("a sign-in that is over by then is asked for over the page, and nothing is asked for before", async () => {
  await keepWho({ user: aPerson(), work: aWork(false) });
  await keepAnswer(aKeptAnswer());
  const cache = new QueryClient();
  await start(cache);
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) =>
    request instanceof Request
      ? Response.json({ user: aPerson(), ...aWork(false) })
      : Response.json({}, { status: 401 }),
  );
  window.dispatchEvent(new Event("online"));
  await vi.waitFor(() => expect(session().state).toBe("expired"));
  await new Promise((done) => setTimeout(done));
  const { queryKey } = activationQuery("a1");
  expect(cache.getQueryState(queryKey)?.isInvalidated).toBe(false);
  begin(aPerson(), "t");
  await vi.waitFor(() => expect(cache.getQueryState(queryKey)?.isInvalidated).toBe(true));
});

test("where the person works for another business by now, what hangs on it is emptied and loaded anew", async () => {
  await keepWho({ user: aPerson(), work: aWork(false) });
  await keepAnswer(aKeptAnswer());
  area.reset.mockClear();
  area.reload.mockClear();
  await start(new QueryClient());
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) =>
    request instanceof Request
      ? Response.json({ user: aPerson(), ...aWork(true) })
      : Response.json({ access_token: "t", user: aPerson() }),
  );
  expect(area.reset).not.toHaveBeenCalled();
  window.dispatchEvent(new Event("online"));
  await vi.waitFor(() => expect(area.reload).toHaveBeenCalledOnce());
  expect(area.reset).toHaveBeenCalledOnce();
});

test("an answer that comes after all, with nothing kept, signs in and brings the business", async () => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(true);
  vi.spyOn(document, "cookie", "get").mockReturnValue("turnkey_session=1");
  const limit = new AbortController();
  const limits = vi.spyOn(AbortSignal, "timeout").mockReturnValue(limit.signal);
  let answer: (by: Response) => void = () => undefined;
  vi.spyOn(globalThis, "fetch").mockImplementation((request) =>
    request instanceof Request
      ? Promise.resolve(Response.json({ user: aPerson(), ...aWork(true) }))
      : new Promise((resolve) => {
          answer = resolve;
        }),
  );
  const asked = renew();
  limit.abort();
  await expect(asked).rejects.toMatchObject({ type: "abort" });
  limits.mockRestore();
  await start(new QueryClient());
  answer(Response.json({ access_token: "t", user: aPerson() }));
  await vi.waitFor(() => expect(workOf(session())?.business?.code).toBe("N1001"));
  expect(credential()).toBe("t");
});

test("an answer that comes while what is kept is read signs in, and nobody is recognised", async () => {
  await keepWho({ user: aPerson(), work: aWork(false) });
  await keepAnswer(aKeptAnswer());
  vi.spyOn(globalThis, "fetch").mockImplementation(async () =>
    Response.json({ user: aPerson(), ...aWork(true) }),
  );
  window.history.replaceState(null, "", "/rewards");
  begin(aPerson(), "t");
  await start(new QueryClient());
  expect([credential(), workOf(session())?.business?.code]).toEqual(["t", "N1001"]);
  expect(window.location.pathname).toBe("/rewards");
});

test("where the network reaches nobody, what is not kept becomes the list, unless nothing is kept at all", async () => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(true);
  window.history.replaceState(null, "", "/rewards");
  await start(new QueryClient());
  expect(window.location.pathname).toBe("/rewards");
  await keepWho({ user: aPerson(), work: aWork(false) });
  await keepAnswer(aKeptAnswer());
  await start(new QueryClient());
  expect(window.location.pathname + window.location.search).toBe("/offline?next=%2Frewards");
});
