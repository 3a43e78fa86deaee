import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { show } from "~/testing/show";
import { CopyLink } from "./copy-link";

const URL = "https://portal.example/pay#t0ken";

afterEach(() => {
  vi.restoreAllMocks();
});

/** The clipboard of the person's browser, which may be without one. */
function withClipboard() {
  const user = userEvent.setup();
  return { user, write: vi.spyOn(navigator.clipboard, "writeText") };
}

const marked = ({ value, selectionStart, selectionEnd }: HTMLInputElement) =>
  value.slice(selectionStart ?? 0, selectionEnd ?? 0);

test("a link is copied, and the button says so", async () => {
  const { user } = withClipboard();
  show(<CopyLink url={URL} label="Link" />);
  await user.click(screen.getByRole("button", { name: "Copy" }));
  expect(await screen.findByRole("button", { name: "Copied" })).toBeVisible();
  expect(await navigator.clipboard.readText()).toBe(URL);
  expect(screen.queryByRole("alert")).toBeNull();
});

test("where the browser refuses, that is said, the link stands marked, and another try may work", async () => {
  const { user, write } = withClipboard();
  write.mockRejectedValueOnce(new DOMException("Write permission denied.", "NotAllowedError"));
  show(<CopyLink url={URL} label="Link" />);
  await user.click(screen.getByRole("button", { name: "Copy" }));
  expect(await screen.findByRole("alert")).toHaveTextContent(/^The browser did not copy the link/);
  const field = screen.getByRole<HTMLInputElement>("textbox", { name: "Link" });
  expect(field).toHaveFocus();
  expect(marked(field)).toBe(URL);
  await user.click(screen.getByRole("button", { name: "Copy" }));
  expect(await screen.findByRole("button", { name: "Copied" })).toBeVisible();
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a link that stands elsewhere is shown where the browser has no clipboard", async () => {
  const { user } = withClipboard();
  vi.spyOn(navigator, "clipboard", "get").mockReturnValue(undefined as never);
  show(<CopyLink url={URL} label="Link" folded />);
  expect(screen.queryByRole("textbox")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Copy the link" }));
  expect(await screen.findByRole("alert")).toBeVisible();
  const field = screen.getByRole<HTMLInputElement>("textbox", { name: "Link" });
  expect(field).toHaveFocus();
  expect(marked(field)).toBe(URL);
});
