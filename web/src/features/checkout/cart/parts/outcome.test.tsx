import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { showPage } from "~/testing/show";
import type { AddedRows } from "../quick-order-calls";
import { Outcome } from "./outcome";

const NONE: AddedRows = {
  rows: [],
  ready: 0,
  merged: 0,
  refused: 2,
  pieces: 0,
  total: 0,
  token: "t",
  quantity: 0,
};

test("where no row could be added none is counted, and the rest has its reason", async () => {
  await showPage(<Outcome order={NONE} onReport={() => undefined} />);
  expect(screen.getByText(/Nothing could be added/)).toHaveTextContent(
    "Nothing could be added. 2 rows were not: they are below, with the reason.",
  );
});

test("what was added is counted by its products and pieces", async () => {
  const added = { ...NONE, ready: 1, refused: 0, pieces: 3 };
  await showPage(<Outcome order={added} onReport={() => undefined} />);
  expect(screen.getByText(/added/)).toHaveTextContent("1 product was added (3 pieces).");
});
