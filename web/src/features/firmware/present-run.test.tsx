import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { live } from "~/shared/live/live";
import { aFirmwareRun } from "~/testing/runs/a-firmware-run";
import { showPage } from "~/testing/show";
import { PresentRun } from "./present-run";

const OLDER = /This page is older than what it shows/;
const reported: unknown[] = [];

beforeEach(() => {
  reported.length = 0;
  vi.spyOn(live, "follow").mockReturnValue(() => undefined);
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    if ((request as Request).url.endsWith("/v1/flows/drift"))
      reported.push(await (request as Request).json());
    return new Response(null, { status: 204 });
  });
});

afterEach(() => vi.restoreAllMocks());

const shown = (state: string) =>
  showPage(
    <PresentRun
      first={aFirmwareRun(state)}
      about={{ what: "FT-X1-00000042" }}
      onEnd={() => undefined}
      past={null}
    />,
  );

test("a run of a release that this page does not know is shown calmly, and the page offers a reload", async () => {
  await shown("polishing");
  expect(screen.getByText(OLDER)).toBeVisible();
  expect(screen.getByRole("button", { name: "Reload" })).toBeVisible();
  await vi.waitFor(() => expect(reported).toHaveLength(1));
  expect(reported[0]).toMatchObject({ kind: "firmware", id: "f1", name: "polishing" });
});

test("a run that the page knows is drawn as its way, with where it is", async () => {
  await shown("download_sent");
  expect(screen.queryByText(OLDER)).toBeNull();
  const way = screen.getByRole("list", { name: "The way of the update" });
  expect(way.querySelector("[aria-current=step]")).not.toBeNull();
  expect(reported).toEqual([]);
});

test("what may be asked is what the chart and the server allow, whatever the view says", async () => {
  const view = { allowed: ["RETRY_NOW"] };
  const first = aFirmwareRun("retry_wait", view, { allowed: ["CANCEL"] });
  await showPage(
    <PresentRun
      first={first}
      about={{ what: "FT-X1-00000042" }}
      onEnd={() => undefined}
      past={null}
    />,
  );
  expect(screen.getByRole("button", { name: "Cancel the update" })).toBeEnabled();
  expect(screen.queryByRole("button", { name: "Try now" })).toBeNull();
});

test("what was asked and failed is told beside its button, below the history", async () => {
  vi.mocked(fetch).mockImplementation(async () => Response.json({}, { status: 502 }));
  const first = aFirmwareRun("retry_wait");
  await showPage(
    <PresentRun
      first={first}
      about={{ what: "FT-X1-00000042" }}
      onEnd={() => undefined}
      past={<h2>Earlier updates</h2>}
    />,
  );
  await userEvent.click(screen.getByRole("button", { name: "Try now" }));
  const note = await screen.findByRole("alert", { name: "Failed: Try now" });
  expect(note).toHaveFocus();
  const foot = screen.getByRole("button", { name: "Try now" }).parentElement;
  expect(foot).toContainElement(note);
  const history = screen.getByRole("heading", { name: "Earlier updates" });
  expect(history.compareDocumentPosition(note)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});
