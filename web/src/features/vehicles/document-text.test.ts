import { expect, test } from "vitest";
import { textOf } from "./document-text";

test("a document is written as plain text, block by block", () => {
  const text = textOf("Title", [
    { type: "header", level: 2, text: "Part" },
    { type: "paragraph", text: "A <b>bold</b> word" },
    { type: "list", style: "ordered", items: ["one", "two"] },
    { type: "table", head: ["a", "b"], rows: [["1", "2"]] },
    { type: "delimiter" },
  ]);
  expect(text).toBe("Title\n\nPART\n\nA bold word\n\n1. one\n2. two\n\na | b\n1 | 2\n");
});
