import { screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { Schemas } from "~/shared/api/client";
import { aRun } from "~/testing/runs/a-run";
import { showPage } from "~/testing/show";
import { RunMap } from "./map";

const PLAN = ["power-on-device", "verify-connection", "check-firmware", "complete-activation"];

function aDetail(run: ReturnType<typeof aRun>, more: Partial<Schemas["RunDetail"]> = {}) {
  return { run, about: [], retrying: [], request_id: null, plan: PLAN, skipped: {}, ...more };
}

/** A server that knows these moves of the run. */
function moved(
  ...results: Pick<Schemas["TimedTransition"], "event" | "from_state" | "to_state">[]
) {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () =>
    Response.json({ results, end: null }),
  );
}

afterEach(() => vi.restoreAllMocks());

test("a run of an older version is drawn by the chart of its own, with what was skipped and why", async () => {
  moved({ event: "SUBMIT", from_state: "power-on-device", to_state: "verify-connection" });
  const skipped = { "check-firmware": "the firmware is the newest" };
  await showPage(<RunMap detail={aDetail(aRun({ version: 1 }), { skipped })} />);
  const way = screen.getByRole("list", { name: "The whole way" });
  const places = within(way).getAllByRole("listitem");
  const present = places.filter((place) => place.getAttribute("aria-current") === "step");
  expect(present).toHaveLength(1);
  expect(present[0]).toHaveTextContent("here now");
  expect(within(way).getByText("Skipped: the firmware is the newest")).toBeVisible();
  expect(await within(way).findByText("(taken)")).toBeVisible();
});

test("a run of a version that is newer than the page says so", async () => {
  moved();
  await showPage(<RunMap detail={aDetail(aRun({ version: 99 }))} />);
  expect(screen.getByText(/cannot draw it/)).toBeVisible();
  expect(screen.queryByText("The whole way")).toBeNull();
});
