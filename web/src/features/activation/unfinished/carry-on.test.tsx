import { screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { AN_ACTIVATION_SUMMARY } from "~/testing/runs/an-activation-summary";
import { showPage } from "~/testing/show";
import type { ActivationSummary } from "../types";
import { CarryOn } from "./carry-on";

afterEach(() => vi.restoreAllMocks());

/** The rows of these unfinished activations, without the head. */
async function rowsOf(...results: ActivationSummary[]) {
  vi.spyOn(Date, "now").mockReturnValue(Date.parse("2026-11-20T15:00:00Z"));
  const first = { results, count: results.length, end_cursor: null };
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json(first));
  await showPage(<CarryOn scope="dealer" first={first} />);
  return within(screen.getByRole("table", { name: "Unfinished activations" }))
    .getAllByRole("row")
    .slice(1);
}

test("a row tells device, vehicle, step, who had it last and for how long it is idle, and opens it there", async () => {
  const [row] = await rowsOf(AN_ACTIVATION_SUMMARY);
  expect(row?.querySelector("th")).toHaveTextContent(/^FT-X1-00000042/);
  const cells = [...(row?.querySelectorAll("td") ?? [])].map((cell) => cell.textContent);
  expect(cells).toEqual([
    "2019 Honda Civic",
    expect.stringMatching(/^Verify.*Step 3 of 9$/),
    "Bo Roy",
    expect.stringMatching(/^3 h/),
  ]);
  expect(
    within(row as HTMLElement).getByRole("link", { name: AN_ACTIVATION_SUMMARY.device_key }),
  ).toHaveAttribute("href", "/activation/device?id=a1&step=verify-connection");
});

test("one that was handed over says by whom and with what words", async () => {
  const said = { by: "Ann Lee", note: "The hood pin is missing", only_to_pay: false };
  const handed = { ...said, step: AN_ACTIVATION_SUMMARY.step, back_to_id: null };
  const [row] = await rowsOf({ ...AN_ACTIVATION_SUMMARY, vehicle: null, handed });
  expect(row).toHaveTextContent("From Ann Lee. The hood pin is missing");
  expect(within(row as HTMLElement).getByRole("cell", { name: "—" })).toBeVisible();
});

test("where nothing is unfinished one is begun", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json({}));
  await showPage(<CarryOn scope="mine" first={{ results: [], count: 0, end_cursor: null }} />);
  expect(screen.getByRole("link", { name: "Begin an activation" })).toHaveAttribute(
    "href",
    "/activation",
  );
});
