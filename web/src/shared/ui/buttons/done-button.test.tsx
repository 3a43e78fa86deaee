import { act, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { show } from "~/testing/show";
import { DoneButton } from "./done-button";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("a success shows its check for one second", () => {
  show(<DoneButton done={1}>Save</DoneButton>);
  expect(screen.getByRole("status")).toHaveTextContent("Done");
  act(() => vi.advanceTimersByTime(999));
  expect(screen.getByRole("status")).toHaveTextContent("Done");
  act(() => vi.advanceTimersByTime(1));
  expect(screen.getByRole("status")).toBeEmptyDOMElement();
});

test("before anything was done there is no check", () => {
  show(<DoneButton done={0}>Save</DoneButton>);
  expect(screen.getByRole("status")).toBeEmptyDOMElement();
});
