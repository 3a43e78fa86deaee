import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import type { Schemas } from "~/shared/api/client";
import { Problem } from "~/shared/api/errors";
import { show } from "~/testing/show";
import { FoldedMoves } from "./folded-moves";

function aMove(rev: number, to_state: string, at: string, more: Partial<Schemas["Transition"]>) {
  const move: Schemas["Transition"] = {
    rev,
    event: "OK",
    from_state: "",
    to_state,
    at,
    actor_id: null,
    actor: null,
    acting_for: null,
    note: null,
    ...more,
  };
  return move;
}

const MOVES = [
  aMove(1, "offered", "2026-11-21T10:00:00Z", { actor: "Ivan Petrov", note: "from the list" }),
  aMove(2, "done", "2026-11-21T10:01:05Z", {}),
];

function shown(moves: Partial<Parameters<typeof FoldedMoves>[0]["moves"]>) {
  const refetch = vi.fn();
  const all = { isLoading: false, error: null, data: undefined, refetch, ...moves };
  show(
    <FoldedMoves
      moves={all}
      wordsOf={(state) => `In ${state}`}
      onOpen={() => undefined}
      className={undefined}
    />,
  );
  return refetch;
}

test("what happened is told in rows: when, what, by whom, and for how long", async () => {
  shown({ data: { results: MOVES } });
  await userEvent.click(screen.getByText("What happened"));
  const table = screen.getByRole("table", { name: "What happened" });
  const [, first, last] = within(table).getAllByRole("row");
  expect(first).toHaveTextContent(/In offered.*from the list.*Ivan Petrov.*1:05/);
  expect(last).toHaveTextContent(/In done.*–.*–/);
});

test("rows to come are drawn", async () => {
  shown({ isLoading: true });
  await userEvent.click(screen.getByText("What happened"));
  expect(screen.getByRole("table", { name: "What happened" })).toHaveAttribute("aria-busy", "true");
});

test("what was not told can be asked for again", async () => {
  const refetch = shown({ error: new Problem(502, {}) });
  await userEvent.click(screen.getByText("What happened"));
  expect(screen.queryByRole("table")).toBeNull();
  await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
  expect(refetch).toHaveBeenCalledTimes(1);
});
