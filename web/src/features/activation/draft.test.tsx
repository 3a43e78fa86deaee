import { act, renderHook, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { anActivation } from "~/testing/runs/an-activation";
import { showPage } from "~/testing/show";
import { keepOnlyDraftOf, useDraft } from "./draft";
import { RunScreen } from "./run-screen";

const typed = { email: "owner@example.com" };

afterEach(() => vi.unstubAllGlobals());

function draft(id: string, step: string) {
  return renderHook(() => useDraft<Record<string, string>>(id, step)).result.current;
}

test("a draft survives for its run and step only, and goes when another step's is kept", () => {
  expect(draft("a1", "send-welcome").held).toBeUndefined();
  draft("a1", "send-welcome").keep(typed);
  expect(draft("a1", "send-welcome").held).toEqual(typed);
  expect(draft("a2", "send-welcome").held).toBeUndefined();
  keepOnlyDraftOf("a1", "send-welcome");
  expect(draft("a1", "send-welcome").held).toEqual(typed);
  keepOnlyDraftOf("a1", "device-testing");
  expect(draft("a1", "send-welcome").held).toBeUndefined();
});

test.each([
  ["email", "4242424242424242", ""],
  ["email", "4242-4242-4242-4242", ""],
  ["email", "4242424242424242@example.com", ""],
  ["email", "Visa 4242 4242 4242 4242", ""],
  ["email", "owner42@example.com", "owner42@example.com"],
  ["email", "123456789010", "123456789010"],
  ["new_device_key", "4242 4242 4242 4242", ""],
  ["new_device_key", "DR5400-00000026", "DR5400-00000026"],
])("of what was typed, what may be the number of a card is not kept: %s %s", (name, text, kept) => {
  const { result } = renderHook(() => useDraft<Record<string, string>>("a1", "send-welcome"));
  act(() => result.current.keep({ [name]: text }));
  expect(result.current.held).toEqual({ [name]: text });
  expect(draft("a1", "send-welcome").held).toEqual({ [name]: kept });
});

test("a store that is full keeps no draft, and what was typed stays on the page", () => {
  const { result } = renderHook(() => useDraft<Record<string, string>>("a3", "send-welcome"));
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("", "QuotaExceededError");
  });
  act(() => result.current.keep(typed));
  expect(result.current.held).toEqual(typed);
  vi.restoreAllMocks();
  expect(draft("a3", "send-welcome").held).toBeUndefined();
});

test("a page that opens keeps the draft of the present step, and none of a step that was left meanwhile", async () => {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  draft("a1", "send-welcome").keep(typed);
  draft("a1", "device-rewards").keep(typed);
  await showPage(<RunScreen answer={anActivation("send-welcome")} step={undefined} />);
  expect(await screen.findByDisplayValue(typed.email)).toBeVisible();
  expect(draft("a1", "device-rewards").held).toBeUndefined();
  expect(draft("a1", "send-welcome").held).toEqual(typed);
});
