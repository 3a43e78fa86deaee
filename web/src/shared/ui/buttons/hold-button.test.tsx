import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { show } from "~/testing/show";
import { HOLD_MS, HoldButton } from "./hold-button";

const confirmed = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  confirmed.mockClear();
});
afterEach(() => vi.useRealTimers());

function theButton(disabled = false) {
  show(
    <HoldButton label="Remote start" onConfirm={confirmed} disabled={disabled}>
      Remote start
    </HoldButton>,
  );
  return screen.getByRole("button");
}

test("a short press does nothing but say that it was short", () => {
  const button = theButton();
  fireEvent.pointerDown(button, { button: 0 });
  vi.advanceTimersByTime(HOLD_MS - 50);
  fireEvent.pointerUp(button);
  expect(button).toHaveTextContent("Keep holding");
  act(() => vi.advanceTimersByTime(HOLD_MS * 4));
  expect(confirmed).not.toHaveBeenCalled();
  expect(button).toHaveTextContent("Remote start");
});

test.each(["pointer", "key"])("held down by %s it confirms once", (by) => {
  const button = theButton();
  if (by === "pointer") fireEvent.pointerDown(button, { button: 0 });
  else fireEvent.keyDown(button, { key: " " });
  vi.advanceTimersByTime(HOLD_MS + 10);
  expect(confirmed).toHaveBeenCalledTimes(1);
});

test("a tool that can only press presses twice", () => {
  const button = theButton();
  fireEvent.click(button, { detail: 0 });
  expect(confirmed).not.toHaveBeenCalled();
  expect(button).toHaveAccessibleName("Press again to confirm: Remote start");
  fireEvent.click(button, { detail: 0 });
  expect(confirmed).toHaveBeenCalledTimes(1);
});

test("disabled it does nothing", () => {
  const button = theButton(true);
  fireEvent.pointerDown(button, { button: 0 });
  vi.advanceTimersByTime(HOLD_MS * 2);
  expect(confirmed).not.toHaveBeenCalled();
});
