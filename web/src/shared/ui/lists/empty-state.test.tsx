import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { show } from "~/testing/show";
import { EmptyPart, EmptyState } from "./empty-state";

test("an empty list has a drawing, a sentence and one thing to do next", () => {
  const { container } = show(
    <EmptyState action={<a href="/search">Find products</a>}>Nothing was ordered yet.</EmptyState>,
  );
  expect(container.querySelector("svg")).toBeVisible();
  expect(screen.getByRole("status")).toHaveTextContent("Nothing was ordered yet.");
  expect(screen.getByRole("link", { name: "Find products" })).toBeVisible();
});

test("an empty part of a page has them too, small, and keeps its action as rows come", () => {
  const part = (rows: string | null) => (
    <EmptyPart none="No card is saved yet." action={<button type="button">Add a card</button>}>
      {rows}
    </EmptyPart>
  );
  const { container, rerender } = show(part(null));
  expect(container.querySelector("svg")).toHaveAttribute("width", "48");
  expect(screen.getByRole("status")).toHaveTextContent("No card is saved yet.");
  const add = screen.getByRole("button", { name: "Add a card" });
  add.focus();
  rerender(part("Visa •••• 4242"));
  expect(container).toHaveTextContent("Visa •••• 4242");
  expect(container.querySelector("svg")).toBeNull();
  expect(screen.queryByRole("status")).toBeNull();
  expect(add).toHaveFocus();
});

// @ts-expect-error: none is without one
void (<EmptyState>Nothing is here.</EmptyState>);
