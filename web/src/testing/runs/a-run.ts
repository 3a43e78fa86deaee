import type { Overview, Run } from "~/features/operations/queries";

/** An activation that waits for its installer, unless told otherwise. */
export function aRun(more: Partial<Run> = {}): Run {
  return {
    kind: "activation",
    id: "a1",
    version: 1,
    state: "verify-connection",
    outcome: null,
    waits_for: "person",
    subject: "FT-X1-00000042",
    device_key: "FT-X1-00000042",
    site: "ca",
    dealer_id: "harbour",
    owner_id: "ivan",
    partner: "N1001",
    workflow_id: "act-FT-X1-00000042",
    run_id: "r1",
    rev: 4,
    error: null,
    error_code: null,
    next_at: null,
    created_at: "2026-08-03T12:00:00Z",
    updated_at: "2026-08-03T12:05:00Z",
    ended_at: null,
    pending: [],
    checked_at: null,
    temporal_url: "http://temporal.example/namespaces/default/workflows/act/r1/history",
    ...more,
  };
}

/** A good day. */
export function anOverview(more: Partial<Overview> = {}): Overview {
  const waiting = { tasks: 0, oldest_seconds: 0, pollers: 2 };
  return {
    tallies: [],
    counted: {
      stuck: 0,
      retrying: 0,
      attention: 0,
      orphans: 0,
      undelivered: 0,
      unmailed: 0,
      unsettled: 0,
      drifts: 0,
    },
    orphans: [],
    undelivered: [],
    unsettled: [],
    outboxes: [],
    backlog: { workflow_tasks: waiting, activities: waiting, releases: [] },
    last_pass: {
      at: "2026-08-03T12:05:00Z",
      took_ms: 40,
      looked: 3,
      asked: 0,
      repaired: {},
      failed: [],
    },
    repaired: {},
    third_parties: [],
    seals_payloads: false,
    ...more,
  };
}
