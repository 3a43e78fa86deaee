import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { aFirmwareRun } from "~/testing/runs/a-firmware-run";
import { showPage } from "~/testing/show";
import { History } from "./history";
import type { PastFirmware } from "./queries";

const DONE = {
  ...aFirmwareRun("done", {}, { ended: true }),
  created_at: "2026-11-21T10:00:00Z",
  ended_at: "2026-11-21T10:05:00Z",
  outcome: null,
} satisfies PastFirmware;

test("past updates stand right below the title of the page", async () => {
  await showPage(<History runs={[DONE]} />);
  expect(screen.getByRole("heading", { name: "Past updates", level: 2 })).toBeVisible();
});
