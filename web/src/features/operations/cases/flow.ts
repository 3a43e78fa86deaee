import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { answered, client, type Schemas } from "~/shared/api/client";
import { below } from "~/shared/api/operation";
import type { FlowKind } from "~/shared/flow/actor";
import { chartNamed } from "~/shared/flow/charts";
import type { RunAnswer } from "~/shared/flow/position";
import { type Flow, useFlow } from "~/shared/flow/use-flow";
import { type Case, type CaseView, caseQuery } from "./queries";

export type Deed = "NOTE" | "RETRY" | "RESOLVE";

/** What an administrator may ask: that somebody takes it, they themselves without an address; or what was done about it. */
export type CaseCommand = { type: "ASSIGN"; email?: string } | { type: Deed; note: string };

/** A case as its live events tell it. */
type CaseRunAnswer = RunAnswer & { view: CaseView };

export type CaseRun = Flow<CaseRunAnswer, CaseCommand>;

const CASE: FlowKind<CaseRunAnswer, CaseCommand> = {
  chartOf: ({ version }) => chartNamed("case", version),
  planOf: () => [],
  eventOf: ({ type }) => type,
};

/** One case on screen, whose run has shown itself. */
export function useCase(first: Case): CaseRun {
  const cache = useQueryClient();
  const { id } = first;
  return useFlow<CaseRunAnswer, CaseCommand>(
    useMemo(() => runOf(first), [first]),
    {
      topic: `case:${id}`,
      kind: CASE,
      send: async (command, key) => {
        const told = await sendCaseCommand(id, command, key);
        void cache.invalidateQueries({ predicate: below("/v1/operations") });
        return "rev" in told ? runOf(told) : told;
      },
      read: async () => runOf(await cache.fetchQuery({ ...caseQuery(id), staleTime: 0 })),
    },
  );
}

function runOf(one: Case): CaseRunAnswer {
  const { id, version, rev, seq, state, allowed, ended } = one;
  return { kind: "case", id, version, rev, seq, state, allowed, ended, view: one };
}

function sendCaseCommand(
  id: string,
  command: CaseCommand,
  key: string,
): Promise<Case | Schemas["Accepted"]> {
  const params = { path: { id }, header: { "Idempotency-Key": key } };
  switch (command.type) {
    case "ASSIGN":
      return answered(
        client.POST("/v1/operations/cases/{id}/assign", { params, body: { email: command.email } }),
      );
    case "NOTE":
      return answered(
        client.POST("/v1/operations/cases/{id}/note", { params, body: { note: command.note } }),
      );
    case "RETRY":
      return answered(
        client.POST("/v1/operations/cases/{id}/retry", { params, body: { note: command.note } }),
      );
    case "RESOLVE":
      return answered(
        client.POST("/v1/operations/cases/{id}/resolve", { params, body: { note: command.note } }),
      );
  }
}
