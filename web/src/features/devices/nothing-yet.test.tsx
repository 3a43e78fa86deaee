import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { showPage } from "~/testing/show";
import { Activations } from "./activations";
import { Timeline } from "./timeline";

const KEY = "FT-X1-00000042";
const WORDS = { type: {}, step: {} };

afterEach(() => vi.restoreAllMocks());

test("a device that was never activated here can be, from where that is told", async () => {
  await showPage(<Activations deviceKey={KEY} activations={[]} words={WORDS} waits={() => null} />);
  expect(screen.getByRole("link", { name: "Begin an activation" })).toHaveAttribute(
    "href",
    `/activation?device=${KEY}`,
  );
});

test("whether a device has reported something is asked again, and the focus stays in that part", async () => {
  const entry = { id: "1", type: "heartbeat", timestamp: "2026-08-03T12:00:00Z", payload: {} };
  const answers = [[], [entry]];
  vi.spyOn(globalThis, "fetch").mockImplementation(async () =>
    Response.json({ results: answers.shift() ?? [], end_cursor: null }),
  );
  await showPage(<Timeline deviceKey={KEY} digits={undefined} />);
  await screen.findByText("Nothing has been reported yet.");
  await userEvent.click(screen.getByRole("button", { name: "Refresh" }));
  await screen.findByRole("article");
  expect(screen.getByRole("button", { name: "Refresh" })).toBeVisible();
  await waitFor(() =>
    expect(screen.getByRole("heading", { name: "What the device reported" })).toHaveFocus(),
  );
});
