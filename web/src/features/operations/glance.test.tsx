import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { anOverview, aRun } from "~/testing/runs/a-run";
import { showPage } from "~/testing/show";
import { Glance } from "./glance";
import { toneOf } from "./runs/run-status";
import { Trouble } from "./runs/runs";

const waiting = { tasks: 4, oldest_seconds: 8.2, pollers: 2 };

test("figures that matter lead to their list", async () => {
  const { history } = await showPage(
    <Glance
      now={anOverview({
        counted: {
          stuck: 3,
          retrying: 0,
          attention: 0,
          orphans: 0,
          undelivered: 0,
          unmailed: 0,
          unsettled: 0,
          drifts: 2,
        },
      })}
    />,
  );
  const stuck = screen.getByRole("link", { name: "3 Stuck" });
  expect(stuck).toHaveAttribute("href", "/operations?shown=stuck");
  expect(history.location.pathname).toBe("/");
  expect(screen.getByText("Pages older than their run").parentElement).toHaveTextContent(/^2/);
});

test("a backlog says how old it is, and a queue that nobody reads says so", async () => {
  const { unmount } = await showPage(
    <Glance
      now={anOverview({
        backlog: {
          workflow_tasks: waiting,
          activities: { ...waiting, tasks: 0 },
          releases: ["4f1c2aa", "9d02b7e"],
        },
      })}
    />,
  );
  expect(screen.getByText("the oldest for 9 s")).toBeVisible();
  expect(screen.getByText("Releases at work").parentElement).toHaveTextContent("4f1c2aa, 9d02b7e");
  unmount();
  await showPage(
    <Glance
      now={anOverview({
        backlog: {
          workflow_tasks: { ...waiting, pollers: 0 },
          activities: waiting,
          releases: [],
        },
      })}
    />,
  );
  expect(screen.getByText("No worker asks for them")).toBeVisible();
  expect(screen.queryByText("Releases at work")).toBeNull();
});

test("without Temporal and without a round the page says that", async () => {
  await showPage(<Glance now={anOverview({ backlog: null, last_pass: null })} />);
  expect(screen.getByText("Temporal does not answer")).toBeVisible();
  expect(screen.getByText("No round yet")).toBeVisible();
});

test("a round that failed names its part, and repairs are summed up", async () => {
  const last = anOverview().last_pass;
  await showPage(
    <Glance
      now={anOverview({
        repaired: { "run given up": 2, "reservation released": 3 },
        last_pass: last && { ...last, failed: ["free claims"] },
      })}
    />,
  );
  const item = screen.getByText("Repaired today").closest("li");
  if (!item) throw new Error("not in the list");
  expect(within(item).getByText("5")).toBeVisible();
  expect(item).toHaveTextContent("failed: free claims");
});

test("a run says what is tried again and what to do", async () => {
  const run = aRun({
    outcome: "needs_attention",
    error_code: "install_refused",
    error: "The network refused.",
    ended_at: "2026-08-03T12:05:00Z",
    pending: [
      { activity: "finish", attempt: 7, failure: "away", next_at: null, request_id: "req_Vq7" },
    ],
  });
  await showPage(<Trouble run={run} />);
  expect(screen.getByText(/finish, try 7/)).toHaveTextContent("away · req_Vq7");
  expect(screen.getByText(/refused to install it/)).toBeVisible();
  expect(toneOf(run)).toBe("fail");
  expect(toneOf(aRun({ ended_at: run.ended_at, outcome: "completed" }))).toBe("ok");
  expect(toneOf(aRun())).toBe("wait");
});

test.each([
  [{ rows: 0, oldest_seconds: 0 }, "0", /handed on$/],
  [{ rows: 3, oldest_seconds: 599.2 }, "3", /the oldest for 600 s$/],
])(
  "what providers told us and nobody was told of stands with its age: %o",
  async (told, rows, end) => {
    await showPage(<Glance now={anOverview({ outboxes: [{ name: "providers", ...told }] })} />);
    const item = screen.getByText("Events of providers not handed on").parentElement;
    expect(item).toHaveTextContent(rows);
    expect(item).toHaveTextContent(end);
  },
);
