import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { clearAlerts, useAlerts } from "~/shared/alerts/alerts";
import { show } from "~/testing/show";
import { FetchedDialog } from "./fetched-dialog";

afterEach(() => act(clearAlerts));

function Words({ onClose }: { onClose: () => void }) {
  return (
    <button type="button" onClick={onClose}>
      Enough
    </button>
  );
}

function Page({ script }: { script: () => Promise<{ default: typeof Words }> }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <p>{useAlerts().length} told</p>
      <button type="button" aria-expanded={open} onClick={() => setOpen(true)}>
        Open
      </button>
      {open ? <FetchedDialog script={script} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

test("a dialog that cannot be fetched is told of and closed; the next press asks again, and what came is kept", async () => {
  const script = vi
    .fn(async () => ({ default: Words }))
    .mockRejectedValueOnce(new TypeError("Failed to fetch dynamically imported module: a.js"));
  show(<Page script={script} />);
  const open = screen.getByRole("button", { name: "Open" });
  await userEvent.click(open);
  expect(await screen.findByText("1 told")).toBeVisible();
  expect(open).toHaveAttribute("aria-expanded", "false");
  for (let time = 0; time < 2; time += 1) {
    await userEvent.click(open);
    await userEvent.click(await screen.findByRole("button", { name: "Enough" }));
    expect(screen.queryByRole("button", { name: "Enough" })).toBeNull();
  }
  expect(script).toHaveBeenCalledTimes(2);
});
