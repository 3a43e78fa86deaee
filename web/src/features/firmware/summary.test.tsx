import { screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { lookAgain } from "~/testing/look-again";
import { showPage } from "~/testing/show";
import { FirmwareSummary } from "./summary";

afterEach(() => vi.restoreAllMocks());

test("a look that fails is told above how the firmware stands", async () => {
  const page = { present: null, results: [], end_cursor: null };
  vi.spyOn(globalThis, "fetch").mockResolvedValueOnce(Response.json(page));
  await showPage(<FirmwareSummary wanted={{ deviceKey: "FT-X1-00000042", digits: undefined }} />);
  await screen.findByText("Not updated from here yet.");
  vi.mocked(fetch).mockImplementation(async () => Response.json({}, { status: 500 }));
  lookAgain();
  expect(await screen.findByRole("button", { name: "Try again" })).toBeVisible();
  expect(screen.getByText("Not updated from here yet.")).toBeVisible();
});
