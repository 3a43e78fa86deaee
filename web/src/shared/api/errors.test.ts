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

  it("are ours for what a provider says in words that we know", () => {
    const body = { code: "PAYMENT_ERROR", detail: "This transaction has been declined." };
    expect(wordsFor(new Problem(409, body))).toMatchObject({ message: body.detail });
    expect(wordsFor(new Problem(409, { ...body, detail: "No such bank." }))).toBe("No such bank.");
  });

  it("are what came where it is not ours: a text, or else the status", () => {
    const of = (body: unknown, statusText = "Bad Gateway") =>
      said(wordsFor(new Problem(502, body, null, statusText)));
    expect(of("Closed for the night")).toBe("Closed for the night");
    expect(of("<html>nginx</html>")).toBe("502 (Bad Gateway)");
    expect(of(undefined)).toBe("502 (Bad Gateway)");
    expect(of("", "")).toBe("Unexpected Error. Please try again later.");
    expect(of({ detail: "", code: "unexpected" }, "")).toBe(
      "Unexpected Error. Please try again later.",
    );
  });

  it("are those of any other refusal where no run says it", () => {
    expect(said(refused("quote_changed"))).toContain("Prices or stock");
  });
});
