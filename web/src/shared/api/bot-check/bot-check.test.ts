import { createHash } from "node:crypto";
import { afterEach, expect, test, vi } from "vitest";
import { leadingZeros, sha256 } from "../sha256";
import { solved } from "./bot-check";
import { solve } from "./puzzle";

afterEach(() => vi.restoreAllMocks());

test("a puzzle that nobody hands out holds no form for longer than a call may take", async () => {
  const late = new AbortController();
  const limits = vi.spyOn(AbortSignal, "timeout").mockReturnValue(late.signal);
  vi.spyOn(globalThis, "fetch").mockImplementation(
    (_, init) =>
      new Promise((_, fail) => {
        init?.signal?.addEventListener("abort", () => fail(late.signal.reason));
      }),
  );
  const answer = solved();
  expect(limits.mock.calls).toEqual([[4000]]);
  late.abort();
  expect(await answer).toBeUndefined();
});

const hex = (hash: Uint32Array) =>
  [...hash].map((word) => word.toString(16).padStart(8, "0")).join("");

test("hashes are those of the standard, whatever the length", () => {
  for (let length = 0; length < 200; length += 1) {
    const text = "é7".repeat(length).slice(0, length);
    expect(hex(sha256(text))).toBe(createHash("sha256").update(text).digest("hex"));
  }
});

test("zero bits are counted across words", () => {
  expect(leadingZeros(Uint32Array.of(0, 1, 5))).toBe(63);
  expect(leadingZeros(Uint32Array.of(0x80000000, 0))).toBe(0);
});

test("a puzzle's answer begins with its zero bits", () => {
  const answer = solve("1795000000.12.abcdef.0123", 12);
  expect(answer.startsWith("1795000000.12.abcdef.0123.")).toBe(true);
  expect(createHash("sha256").update(answer).digest("hex").startsWith("000")).toBe(true);
});
