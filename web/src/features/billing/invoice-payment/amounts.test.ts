import { describe, expect, it } from "vitest";
import { amountIn, upTo, written } from "./amounts";

describe("an amount", () => {
  it.each(["", "-1", "0", "0.00", "1.001", "1.2.3", "1-2", "."])("is none in %j", (text) => {
    expect(amountIn(text)).toBeUndefined();
  });

  it("is read in dollars and cents", () => {
    expect(amountIn("98")).toBe(98);
    expect(amountIn("98.5")).toBe(98.5);
    expect(amountIn(".05")).toBe(0.05);
    expect(written(98.5)).toBe("98.50");
  });

  it("never goes above what is open", () => {
    expect(upTo(100, 100.01)).toBe(100);
    expect(upTo(100, 40)).toBe(40);
  });
});
