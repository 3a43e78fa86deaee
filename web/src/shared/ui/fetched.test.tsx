import { CatchBoundary } from "@tanstack/react-router";
import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type ComponentProps, useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { clearAlerts, inTime, useAlerts } from "~/shared/alerts/alerts";
import { CONSTANTS } from "~/shared/constants";
import { show } from "~/testing/show";
import { fetched, fetchedDialog } from "./fetched";

afterEach(() => act(clearAlerts));

function Words({ onClose }: { onClose: () => void }) {
  return (
    <button type="button" onClick={onClose}>
      Enough
    </button>
  );
}

const gone = () => new TypeError("Failed to fetch dynamically imported module: a.js");

type Dialog = ReturnType<typeof fetchedDialog<ComponentProps<typeof Words>>>;

function Page({ Dialog }: { Dialog: Dialog }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <p>{useAlerts().length} told</p>
      <button type="button" aria-expanded={open} onClick={() => setOpen(true)}>
        Open
      </button>
      {open ? <Dialog button={undefined} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

test("a dialog that cannot be fetched is told of and closed; the next press asks again, and what came is kept", async () => {
  const script = vi.fn(async () => ({ default: Words })).mockRejectedValueOnce(gone());
  show(<Page Dialog={fetchedDialog(script)} />);
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

test("a part that cannot be fetched takes nothing of its page, and comes with the signal", async () => {
  const script = vi
    .fn(async () => ({ default: () => <p>The part</p> }))
    .mockRejectedValueOnce(gone());
  const Part = fetched(script, { failed: () => <p>Not there</p> });
  show(
    <>
      <p>The page</p>
      <Part />
    </>,
  );
  expect(await screen.findByText("Not there")).toBeVisible();
  expect(screen.getByText("The page")).toBeVisible();
  act(() => void window.dispatchEvent(new Event("online")));
  expect(await screen.findByText("The part")).toBeVisible();
  expect(screen.queryByText("Not there")).toBeNull();
});

test("what breaks in a part that came is not taken for one that did not", async () => {
  const Part = fetched(async () => ({
    default: () => {
      throw new Error("broken");
    },
  }));
  const caught = vi.fn();
  show(
    <CatchBoundary getResetKey={() => 0} onCatch={caught} errorComponent={() => <p>Elsewhere</p>}>
      <Part />
    </CatchBoundary>,
  );
  expect(await screen.findByText("Elsewhere")).toBeVisible();
  expect(caught).toHaveBeenCalledOnce();
});

test("a part that does not come in time is said otherwise meanwhile, and comes when it is shown anew", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  vi.useFakeTimers();
  const script = vi
    .fn(async () => ({ default: () => <p>The words</p> }))
    .mockReturnValueOnce(new Promise(() => undefined));
  const Part = fetched(() => inTime(script()), { failed: () => <p>The server's own</p> });
  const { unmount } = show(<Part />);
  await act(() => vi.advanceTimersByTimeAsync(CONSTANTS.requestTimeout));
  vi.useRealTimers();
  expect(await screen.findByText("The server's own")).toBeVisible();
  unmount();
  show(<Part />);
  expect(await screen.findByText("The words")).toBeVisible();
});
