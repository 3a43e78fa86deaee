import { renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { dropDraft, useDraft } from "./draft";

test("a draft survives for its run and step only, and goes when dropped", () => {
  const first = renderHook(() => useDraft<{ email: string }>("a1", "send-welcome"));
  expect(first.result.current.held).toBeUndefined();
  first.result.current.keep({ email: "owner@example.com" });
  const again = renderHook(() => useDraft<{ email: string }>("a1", "send-welcome"));
  expect(again.result.current.held).toEqual({ email: "owner@example.com" });
  expect(renderHook(() => useDraft("a2", "send-welcome")).result.current.held).toBeUndefined();
  dropDraft("a1", "send-welcome");
  expect(renderHook(() => useDraft("a1", "send-welcome")).result.current.held).toBeUndefined();
});
