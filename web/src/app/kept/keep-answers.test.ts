import { QueryClient, type QueryKey } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { activationQuery } from "~/features/activation/queries";
import { deviceQuery, myDevicesQuery } from "~/features/devices/queries";
import { Problem } from "~/shared/api/errors";
import { restored } from "~/shared/kept/answers";
import { amend, begin, carry, end, expire } from "~/shared/session/session";
import { aPerson, aWork } from "~/testing/a-person";
import { anActivation } from "~/testing/runs/an-activation";
import { someCaches } from "~/testing/some-caches";
import { keepAnswers } from "./keep-answers";

const DEVICE = {
  device_key: "FT-X1-00000042",
  product_name: "ft-x1",
  device: null,
  in_use: false,
  may_release: false,
  activations: [],
};
const LIST = {
  pages: [{ results: [], end_cursor: "2" }, { results: [] }],
  pageParams: [undefined, "2"],
};

let stop: (() => void) | undefined;

beforeEach(() => {
  vi.stubGlobal("caches", someCaches());
  vi.useFakeTimers();
});
afterEach(() => {
  stop?.();
  carry(undefined);
  end();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Signed in beyond the tab, with what is kept from now on. */
function keeping(refreshToken?: string) {
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  begin(aPerson(), "t", refreshToken);
  amend({ work: aWork(true) });
  stop = keepAnswers(cache);
  return cache;
}

async function kept() {
  await vi.advanceTimersByTimeAsync(1_000);
  return (await restored())?.answers ?? [];
}

async function keptIds() {
  return (await kept()).map(({ id }) => id);
}

/** Asks for a run; it is answered by what comes back. */
function answering(cache: QueryClient, id: string) {
  let answer = () => {};
  const queryFn = () =>
    new Promise((resolve) => {
      answer = () => resolve(anActivation("power-on-device"));
    });
  void cache.prefetchQuery({ queryKey: activationQuery(id).queryKey, queryFn } as never);
  return () => answer();
}

test("what the pages of activations and devices show is kept as it came last", async () => {
  const cache = keeping();
  const run = anActivation("power-on-device");
  cache.setQueryData(activationQuery("a1").queryKey, run);
  cache.setQueryData(activationQuery("a1").queryKey, anActivation("set-vehicle-details"));
  cache.setQueryData(deviceQuery("FT-X1-00000042", undefined).queryKey, DEVICE as never);
  cache.setQueryData(myDevicesQuery("").queryKey, LIST as never);
  const answers = await vi.waitFor(async () => {
    const now = await kept();
    expect(now).toHaveLength(3);
    return now;
  });
  const of = (kind: string) => answers.find((one) => one.kind === kind);
  expect(of("activation")).toMatchObject({ id: "a1", data: { state: "set-vehicle-details" } });
  expect(of("device")).toMatchObject({ id: "FT-X1-00000042", business: "N1001" });
  expect(of("devices")?.data).toMatchObject({ pages: [{ end_cursor: "2" }] });
});

test("what was there before is kept as well", async () => {
  const cache = new QueryClient();
  cache.setQueryData(activationQuery("a1").queryKey, anActivation("power-on-device"));
  begin(aPerson(), "t");
  amend({ work: aWork(true) });
  stop = keepAnswers(cache);
  await vi.waitFor(async () => expect(await kept()).toHaveLength(1));
});

test("a device that was opened by a proof, a search and everything else is not", async () => {
  const cache = keeping();
  cache.setQueryData(deviceQuery("FT-X1-00000042", "48356").queryKey, DEVICE as never);
  cache.setQueryData(myDevicesQuery("FT").queryKey, LIST as never);
  cache.setQueryData(myDevicesQuery("", true).queryKey, LIST as never);
  cache.setQueryData(["get", "/v1/activations/{id}/outcome", { id: "a1" }], {});
  expect(await kept()).toEqual([]);
});

test("a guest, and a sign-in that goes with the tab, keep nothing", async () => {
  const cache = keeping("in this tab alone");
  cache.setQueryData(activationQuery("a1").queryKey, anActivation("power-on-device"));
  expect(await kept()).toEqual([]);
  begin(aPerson(), "t");
  carry("the link of a1");
  cache.setQueryData(activationQuery("a1").queryKey, anActivation("set-vehicle-details"));
  expect(await kept()).toEqual([]);
});

test("what was opened by a guest's link is not kept of whoever is signed in behind it", async () => {
  const cache = keeping();
  carry("the link of g1");
  cache.setQueryData(activationQuery("g1").queryKey, anActivation("power-on-device"));
  const late = answering(cache, "g2");
  await vi.advanceTimersByTimeAsync(1_000);
  carry(undefined);
  late();
  expect(await kept()).toEqual([]);
  cache.setQueryData(activationQuery("a1").queryKey, anActivation("power-on-device"));
  await vi.waitFor(async () => expect(await keptIds()).toEqual(["a1"]));
});

test("what was opened by a guest's link that was left before anything is kept is not kept of whoever is signed in behind it", async () => {
  const cache = new QueryClient();
  begin(aPerson(), "t");
  amend({ work: aWork(true) });
  carry("the link of g1");
  cache.setQueryData(activationQuery("g1").queryKey, anActivation("power-on-device"));
  const late = answering(cache, "g2");
  carry(undefined);
  await vi.advanceTimersByTimeAsync(1_000);
  stop = keepAnswers(cache);
  late();
  expect(await kept()).toEqual([]);
  cache.setQueryData(activationQuery("a1").queryKey, anActivation("power-on-device"));
  await vi.waitFor(async () => expect(await keptIds()).toEqual(["a1"]));
});

test("what a guest had opened is not kept of the person who they sign in as", async () => {
  const cache = new QueryClient();
  carry("the link of g1");
  stop = keepAnswers(cache);
  cache.setQueryData(activationQuery("g1").queryKey, anActivation("power-on-device"));
  await vi.advanceTimersByTimeAsync(1_000);
  carry(undefined);
  begin(aPerson(), "t");
  amend({ work: aWork(true) });
  expect(await kept()).toEqual([]);
});

test("what was fetched for one business is not kept of the next one", async () => {
  const cache = keeping();
  cache.setQueryData(activationQuery("a1").queryKey, anActivation("power-on-device"));
  await vi.waitFor(async () => expect(await keptIds()).toEqual(["a1"]));
  cache.setQueryData(activationQuery("a2").queryKey, anActivation("power-on-device"));
  const late = answering(cache, "a3");
  const { business } = aWork(true);
  if (!business) throw new Error("no business is chosen");
  amend({ work: { ...aWork(true), business: { ...business, code: "N2002" } } });
  late();
  expect(await kept()).toEqual([]);
  await cache.fetchQuery({
    queryKey: activationQuery("a3").queryKey,
    queryFn: async () => anActivation("power-on-device"),
  });
  await vi.waitFor(async () =>
    expect(await kept()).toMatchObject([{ id: "a3", business: "N2002" }]),
  );
});

test("what stays on screen below the sign-in of somebody else is not kept of them", async () => {
  const cache = keeping();
  cache.setQueryData(activationQuery("a1").queryKey, anActivation("power-on-device"));
  await vi.waitFor(async () => expect(await keptIds()).toEqual(["a1"]));
  expire();
  begin(aPerson({ id: "u2" }), "t");
  amend({ work: aWork(true) });
  expect(await kept()).toEqual([]);
});

test.each([
  ["is refused to the person", 403],
  ["is gone", 404],
])("a run that %s is kept no longer, however soon", async (_, status) => {
  const cache = keeping();
  const { queryKey } = activationQuery("a1");
  const gone = () => Promise.reject(new Problem(status, {}));
  cache.setQueryData(queryKey, anActivation("power-on-device"));
  await vi.waitFor(async () => expect(await kept()).toHaveLength(1));
  cache.setQueryData(queryKey, anActivation("set-vehicle-details"));
  await cache.fetchQuery({ queryKey, queryFn: gone }).catch(() => undefined);
  await vi.waitFor(async () => expect(await kept()).toEqual([]));
});

test("a run that left the cache before it was kept is not", async () => {
  const cache = keeping();
  const { queryKey } = activationQuery("a1");
  cache.setQueryData(queryKey, anActivation("power-on-device"));
  cache.removeQueries({ queryKey });
  expect(await kept()).toEqual([]);
});

test("a refusal by wrong digits, or of a guest's link, however late, leaves what is kept of the person", async () => {
  const cache = keeping();
  cache.setQueryData(deviceQuery("FT-X1-00000042", undefined).queryKey, DEVICE as never);
  cache.setQueryData(activationQuery("a1").queryKey, anActivation("power-on-device"));
  await vi.waitFor(async () => expect(await kept()).toHaveLength(2));
  const queryFn = () => Promise.reject(new Problem(403, {}));
  const refused = ({ queryKey }: { queryKey: QueryKey }) =>
    cache.fetchQuery({ queryKey, queryFn }).catch(() => undefined);
  await refused(deviceQuery("FT-X1-00000042", "11111"));
  expect(await kept()).toHaveLength(2);
  carry("an old link of a1");
  await refused(activationQuery("a1"));
  let refuse = () => {};
  const late = () =>
    new Promise((_, fail) => {
      refuse = () => fail(new Problem(403, {}));
    });
  void cache.prefetchQuery({ ...activationQuery("a1"), queryFn: late as never });
  carry(undefined);
  refuse();
  expect(await kept()).toHaveLength(2);
});

test("a store that is full or broken leaves the page as it is", async () => {
  const broken = () => Promise.reject(new DOMException("no", "QuotaExceededError"));
  vi.stubGlobal("caches", { has: broken, open: broken, delete: broken });
  const unheard = vi.fn();
  process.on("unhandledRejection", unheard);
  const cache = keeping();
  const { queryKey } = activationQuery("a1");
  cache.setQueryData(queryKey, anActivation("power-on-device"));
  const gone = () => Promise.reject(new Problem(404, {}));
  await cache.fetchQuery({ queryKey, queryFn: gone }).catch(() => undefined);
  window.dispatchEvent(new Event("offline"));
  await vi.advanceTimersByTimeAsync(1_000);
  vi.useRealTimers();
  await new Promise((done) => setImmediate(done));
  process.off("unhandledRejection", unheard);
  expect(unheard).not.toHaveBeenCalled();
  expect(cache.getQueryData(queryKey)).toMatchObject({ state: "power-on-device" });
});
