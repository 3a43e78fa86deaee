import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { clearAlerts, tell } from "~/shared/alerts/alerts";
import { show } from "~/testing/show";
import { AlertBar } from "./alert-bar";

beforeEach(() => {
  vi.useFakeTimers();
  show(<AlertBar />);
});
afterEach(() => {
  act(clearAlerts);
  vi.useRealTimers();
});

const later = (ms: number) => act(() => vi.advanceTimersByTime(ms));

test("a success goes by itself after five seconds, an error does not", () => {
  act(() => {
    tell({ content: "saved", type: "success" });
    tell({ content: "failed" });
  });
  later(4999);
  expect(screen.getByText("saved")).toBeInTheDocument();
  later(1);
  expect(screen.queryByText("saved")).toBeNull();
  later(60_000);
  expect(screen.getByRole("alert")).toHaveTextContent("failed");
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  expect(screen.queryByText("failed")).toBeNull();
});

test("the clock stands still under the pointer", () => {
  act(() => {
    tell({ content: "saved", type: "success" });
  });
  const line = screen.getByText("saved");
  fireEvent.pointerEnter(line.parentElement?.parentElement as HTMLElement);
  later(60_000);
  expect(screen.getByText("saved")).toBeInTheDocument();
  fireEvent.pointerLeave(line.parentElement?.parentElement as HTMLElement);
  later(5000);
  expect(screen.queryByText("saved")).toBeNull();
});

test("an action of its own can be taken", () => {
  const run = vi.fn();
  act(() => {
    tell({ content: "gone", action: { label: { id: "undo", message: "Undo" }, run } });
  });
  fireEvent.click(screen.getByRole("button", { name: "Undo" }));
  expect(run).toHaveBeenCalledOnce();
});
