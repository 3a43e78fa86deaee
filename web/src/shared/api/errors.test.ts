import { describe, expect, it } from "vitest";
import { wordsFor } from "./error-words";
import { Problem } from "./errors";
import { RUN_WORDS } from "./run-words.gen";

function refused(code: string, kind?: string) {
  const body = { code, detail: "in English", ...(kind ? { flow: { kind } } : {}) };
  return wordsFor(new Problem(409, body));
}

function said(words: ReturnType<typeof wordsFor>) {
  return typeof words === "string" ? words : words.message;
}

describe("the words of a refusal", () => {
  it("are those of the kind of run that refuses", () => {
    expect(said(refused("step_out_of_order", "activation"))).toContain("activation");
    expect(said(refused("step_out_of_order", "purchase"))).toContain("purchase");
    expect(said(refused("step_out_of_order", "firmware"))).toContain("update");
    expect(said(refused("closed", "placement"))).toContain("order");
    expect(said(refused("quote_changed", "purchase"))).toBe(
      RUN_WORDS.purchase?.quote_changed?.message,
    );
  });

  it("say that a confirmed order cannot be cancelled", () => {
    expect(said(refused("order_not_cancellable", "placement"))).toBe(
      "This order cannot be cancelled any more.",
    );
  });

  it("are the server's where the code alone does not say who refuses", () => {
    expect(refused("closed")).toBe("in English");
  });

  it("are those of any other refusal where no run says it", () => {
    expect(said(refused("quote_changed"))).toContain("Prices or stock");
  });
});
