import type { Query, QueryClient } from "@tanstack/react-query";
import type { FlowAnswer } from "~/features/activation/types";
import type { DeviceRecord } from "~/features/devices/queries";
import { problemOf } from "~/shared/api/errors";
import { dropAnswer, type KeptAnswer, keepAnswer, keepWho, restored } from "~/shared/kept/answers";
import {
  carried,
  isUnproven,
  leftLinkAt,
  onSession,
  session,
  workOf,
} from "~/shared/session/session";
import { nameOf } from "~/shared/vehicles/name";

/** A run under way is told of many times in a second. */
const PAUSE_MS = 500;

type Said = {
  id?: string;
  device_key?: string;
  starts_with?: string;
  in_work?: boolean;
  iccid_last_digits?: string;
};
type Which = Pick<KeptAnswer, "kind" | "id">;
type What = Pick<KeptAnswer, "title" | "more" | "data">;

/**
 * Keeps what the pages of activations and devices show, as it comes, for whoever stays signed in on this device. A
 * guest's link and a sign-in that goes with the tab keep nothing, and nobody is left what was fetched for somebody else
 * or for another business. Gives back how to end that.
 */
export function keepAnswers(cache: QueryClient): () => void {
  const queries = cache.getQueryCache();
  const waiting = pauses();
  let whose = keyOfWho();
  const underWay = () => new Set(queries.findAll({ fetchStatus: "fetching" }));
  const leftAt = leftLinkAt();
  /** When it became theirs, in ms since the epoch. What is here at the start came by their sign-in, unless by a guest's link. */
  let since = leftAt ?? Number.NEGATIVE_INFINITY;
  /** What somebody else had asked for by then: the answer is not theirs. */
  let asked = leftAt === undefined ? new Set<Query>() : underWay();

  function later(query: Query) {
    if (!whichIs(query)) return;
    waiting.begin(query.queryHash, () => void keepNow(query).catch(() => undefined));
  }
  async function keepNow(query: Query): Promise<void> {
    const { dataUpdatedAt, status } = query.state;
    if (dataUpdatedAt <= since || status === "error") return;
    if (queries.get(query.queryHash) === query) await keepOf(query);
  }
  async function dropNow(query: Query): Promise<void> {
    waiting.end(query.queryHash);
    const which = whichIs(query);
    // A guest's link that is refused says nothing of the person.
    if (which && whoStays()) await dropAnswer(which.kind, which.id);
  }
  function follow() {
    const next = keyOfWho();
    if (next === whose) return;
    whose = next;
    since = Date.now();
    waiting.endAll();
    asked = underWay();
    tellWho();
  }

  const unfollow = onSession(follow);
  const unsubscribe = queries.subscribe((event) => {
    if (event.type !== "updated") return;
    const { action, query } = event;
    if (action.type === "fetch") asked.delete(query);
    if (action.type === "success") {
      if (!asked.has(query)) later(query);
      else if (!action.manual) asked.delete(query);
    }
    if (action.type === "error" && !asked.delete(query) && isGone(action.error))
      void dropNow(query).catch(() => undefined);
  });
  const fill = () =>
    void restored().then(
      (kept) => kept && fillFromKept(cache, kept.answers),
      () => undefined,
    );
  window.addEventListener("offline", fill);
  tellWho();
  for (const query of queries.getAll()) if (!asked.has(query)) later(query);
  return () => {
    unfollow();
    unsubscribe();
    window.removeEventListener("offline", fill);
    waiting.endAll();
  };
}

/** Work that is done after a pause, by its name: what begins again begins its pause anew. */
function pauses() {
  const held = new Map<string, ReturnType<typeof setTimeout>>();
  return {
    begin(name: string, work: () => void): void {
      clearTimeout(held.get(name));
      held.set(name, setTimeout(work, PAUSE_MS));
    },
    end(name: string): void {
      clearTimeout(held.get(name));
    },
    endAll(): void {
      for (const timer of held.values()) clearTimeout(timer);
      held.clear();
    },
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
  if (now.state !== "signed-in" || now.refreshToken) return undefined;
  return work && !carried() ? { user: now.user, work } : undefined;
}

function keyOfWho(): string {
  const now = whoStays();
  return now ? `${now.user.id} ${now.work.business?.code}` : "";
}

function tellWho(): void {
  const now = whoStays();
  if (now) void keepWho(now).catch(() => undefined);
}

/** What is on screen of somebody who is not proven yet was kept before. */
async function keepOf(query: Query): Promise<void> {
  const now = whoStays();
  const which = whichIs(query);
  const { data, dataUpdatedAt } = query.state;
  if (!now || isUnproven() || !which || data === undefined) return;
  await keepAnswer({
    ...which,
    ...whatIs(which, data),
    at: dataUpdatedAt,
    person: now.user.id,
    business: now.work.business?.code ?? null,
    queryKey: [...query.queryKey],
  });
}

/** It is not the person's to see any more, or is gone. */
function isGone(cause: unknown): boolean {
  return [403, 404].includes(problemOf(cause).status);
}

/** Which answer a query holds, by its key; undefined for all others. The digits of a SIM are a proof, and none of those is kept. */
function whichIs({ queryKey: [method, path, said] }: Query): Which | undefined {
  if (method !== "get") return undefined;
  const { id, device_key, starts_with, in_work, iccid_last_digits } = (said ?? {}) as Said; // as `keyOf` writes it
  if (path === "/v1/activations/{id}" && id) return { kind: "activation", id };
  if (path === "/v1/devices/{device_key}" && device_key && !iccid_last_digits)
    return { kind: "device", id: device_key };
  if (path === "/v1/devices" && !starts_with && !in_work) return { kind: "devices", id: "" };
  return undefined;
}

/** What is kept of it. */
function whatIs({ kind, id }: Which, data: unknown): What {
  switch (kind) {
    case "activation": {
      const { device, facts } = (data as FlowAnswer).view;
      return { title: device.device_key, more: facts.vehicle ? nameOf(facts.vehicle) : "", data };
    }
    case "device": {
      const vehicle = (data as DeviceRecord).device?.vehicle;
      return { title: id, more: vehicle ? nameOf(vehicle) : "", data };
    }
    case "devices": {
      const { pages, pageParams } = data as { pages: unknown[]; pageParams: unknown[] };
      const first = { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) };
      return { title: "", more: "", data: first };
    }
  }
}
