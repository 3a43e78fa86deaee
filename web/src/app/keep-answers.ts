import type { Query, QueryClient } from "@tanstack/react-query";
import type { FlowAnswer } from "~/features/activation/types";
import type { DeviceRecord } from "~/features/devices/queries";
import { problemOf } from "~/shared/api/errors";
import { dropAnswer, type KeptAnswer, keepAnswer, keepWho, restored } from "~/shared/kept/answers";
import { carried, isUnproven, onSession, session, workOf } from "~/shared/session/session";

/** A run under way is told of many times in a second. */
const PAUSE_MS = 500;

type Said = {
  id?: string;
  device_key?: string;
  starts_with?: string;
  in_work?: boolean;
  iccid_last_digits?: string;
};
type What = Pick<KeptAnswer, "kind" | "id" | "title" | "more" | "data">;

/**
 * Keeps what the pages of activations and devices show, as it comes, for whoever stays signed in on this device. A
 * guest's link and a sign-in that goes with the tab keep nothing. Gives back how to end that.
 */
export function keepAnswers(cache: QueryClient): () => void {
  const waiting = new Map<string, ReturnType<typeof setTimeout>>();
  const queries = cache.getQueryCache();
  let whose = "";

  function later(query: Query) {
    if (!whatIs(query)) return;
    clearTimeout(waiting.get(query.queryHash));
    const timer = setTimeout(() => void keepNow(query).catch(() => undefined), PAUSE_MS);
    waiting.set(query.queryHash, timer);
  }
  function follow() {
    const now = whoStays();
    const next = now ? `${now.user.id} ${now.work.business?.code}` : "";
    if (next === whose) return;
    whose = next;
    if (now) void keepWho(now).catch(() => undefined);
    for (const query of queries.getAll()) later(query);
  }

  const unfollow = onSession(follow);
  const unsubscribe = queries.subscribe((event) => {
    if (event.type !== "updated") return;
    if (event.action.type === "success") later(event.query);
    if (event.action.type === "error" && isGone(event.action.error))
      void dropNow(event.query).catch(() => undefined);
  });
  const fill = () =>
    void restored().then(
      (kept) => kept && fillFromKept(cache, kept.answers),
      () => undefined,
    );
  window.addEventListener("offline", fill);
  follow();
  return () => {
    unfollow();
    unsubscribe();
    window.removeEventListener("offline", fill);
    for (const timer of waiting.values()) clearTimeout(timer);
  };
}

/** What is held already is newer, and stays. */
export function fillFromKept(cache: QueryClient, answers: readonly KeptAnswer[]): void {
  const queries = cache.getQueryCache();
  for (const { queryKey, data, at } of answers) {
    if (cache.getQueryData(queryKey) !== undefined) continue;
    // It waits for its page for as long as there is no signal.
    const query = queries.build(cache, { queryKey, gcTime: Number.POSITIVE_INFINITY });
    query.setData(data, { updatedAt: at, manual: true });
  }
}

/** Who is signed in beyond this tab, and for which business; nobody while a guest's link speaks. */
function whoStays() {
  const now = session();
  const work = workOf(now);
  if (now.state !== "signed-in" || isUnproven(now) || now.refreshToken) return undefined;
  return work && !carried() ? { user: now.user, work } : undefined;
}

async function keepNow(query: Query): Promise<void> {
  const now = whoStays();
  const what = whatIs(query);
  if (!now || !what) return;
  await keepAnswer({
    ...what,
    at: query.state.dataUpdatedAt,
    person: now.user.id,
    business: now.work.business?.code ?? null,
    queryKey: [...query.queryKey],
  });
}

/** It is not the person's to see any more, or is gone. */
function isGone(cause: unknown): boolean {
  return [403, 404].includes(problemOf(cause).status);
}

async function dropNow({ queryKey: [, path, said] }: Query): Promise<void> {
  const { id, device_key } = (said ?? {}) as Said; // as `keyOf` writes it
  if (path === "/v1/activations/{id}" && id) await dropAnswer("activation", id);
  if (path === "/v1/devices/{device_key}" && device_key) await dropAnswer("device", device_key);
}

/** What is kept of a query; undefined for all others. The digits of a SIM are a proof, and none of those is kept. */
function whatIs({ queryKey: [method, path, said], state: { data } }: Query): What | undefined {
  if (method !== "get" || data === undefined) return undefined;
  const { starts_with, in_work, iccid_last_digits } = (said ?? {}) as Said; // as `keyOf` writes it
  if (path === "/v1/activations/{id}") {
    const { id, view } = data as FlowAnswer;
    const { vehicle } = view.facts;
    const more = vehicle ? `${vehicle.year} ${vehicle.make} ${vehicle.model}` : "";
    return { kind: "activation", id, title: view.device.device_key, more, data };
  }
  if (path === "/v1/devices/{device_key}" && !iccid_last_digits) {
    const { device_key, device } = data as DeviceRecord;
    const vehicle = device?.vehicle;
    const more = vehicle ? `${vehicle.year} ${vehicle.make} ${vehicle.model}` : "";
    return { kind: "device", id: device_key, title: device_key, more, data };
  }
  if (path === "/v1/devices" && !starts_with && !in_work) {
    const { pages, pageParams } = data as { pages: unknown[]; pageParams: unknown[] };
    const first = { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) };
    return { kind: "devices", id: "", title: "", more: "", data: first };
  }
  return undefined;
}
