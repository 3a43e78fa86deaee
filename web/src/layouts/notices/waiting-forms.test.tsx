import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Kept, keep, watchOutbox } from "~/features/activation/waiting/outbox";
import { carry, end } from "~/shared/session/session";
import { showPage } from "~/testing/show";
import { WaitingForms } from "./waiting-forms";

let stop = () => {};

/** Entered by a guest, under the link that they carry then. */
function waits(id: string, more: Partial<Kept> = {}) {
  keep({
    key: `key-${id}`,
    at: { id, seq: 3, view: { step: "device-testing" } },
    device: "FT-X1-00000042",
    action: { type: "SUBMIT", data: {} },
    reach: "device",
    kept: new Date().toISOString(),
    ...more,
  });
}

beforeEach(() => {
  localStorage.clear();
  vi.spyOn(globalThis, "fetch").mockImplementation(() => new Promise(() => undefined));
  stop = watchOutbox();
});
afterEach(() => {
  stop();
  carry(undefined);
  end();
  vi.restoreAllMocks();
});

test("what waits is counted in the bar, and told one by one with the way to it and out of it", async () => {
  await showPage(<WaitingForms />);
  expect(screen.queryByRole("button")).toBeNull();
  act(() => carry("the link of a1"));
  act(() => waits("a1"));
  act(() => carry("the link of a2"));
  act(() => waits("a2", { refused: { code: "step_mismatch", detail: "Not at that step." } }));
  await userEvent.click(screen.getByRole("button", { name: "2 forms wait to be sent." }));
  const dialog = await screen.findByRole("dialog", { name: "2 forms wait here" });
  const [first, second] = within(dialog).getAllByRole("listitem");
  if (!first || !second) throw new Error("two forms are listed");
  expect(first).toHaveTextContent("Test the device");
  expect(first).toHaveTextContent("FT-X1-00000042");
  expect(first).toHaveTextContent("Entered under another link");
  expect(within(first).queryByRole("link")).toBeNull();
  expect(second).toHaveTextContent("No longer fits");
  expect(
    within(second)
      .getByRole("link", { name: /^Open: / })
      .getAttribute("href"),
  ).toMatch(/^\/activation\/device\?id=a2&step=device-testing/);
  await userEvent.click(within(second).getByRole("button", { name: /^Throw away/ }));
  await userEvent.click(within(second).getByRole("button", { name: /^Yes, throw away/ }));
  expect(within(dialog).getAllByRole("listitem")).toHaveLength(1);
  expect(within(first).getByRole("button", { name: /^Throw away/ })).toHaveFocus();
  await userEvent.click(within(first).getByRole("button", { name: /^Throw away/ }));
  await userEvent.click(within(first).getByRole("button", { name: /^Yes, throw away/ }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(screen.queryByRole("button")).toBeNull();
});

test("a guest who has left the page of their run is told to open its link, not that of another", async () => {
  await showPage(<WaitingForms />);
  act(() => carry("the link of a1"));
  act(() => waits("a1"));
  act(() => carry(undefined));
  await userEvent.click(screen.getByRole("button", { name: "1 form waits to be sent." }));
  const row = await screen.findByRole("listitem");
  expect(row).toHaveTextContent("Open your link of this activation to send it");
  expect(row).not.toHaveTextContent("another link");
});
