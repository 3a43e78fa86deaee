import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { show } from "~/testing/show";
import { EmptyState } from "./empty-state";

test("an empty list has a drawing, a sentence and one thing to do next", () => {
  const { container } = show(
    <EmptyState action={<a href="/search">Find products</a>}>Nothing was ordered yet.</EmptyState>,
  );
  expect(container.querySelector("svg")).toBeVisible();
  expect(screen.getByRole("status")).toHaveTextContent("Nothing was ordered yet.");
  expect(screen.getByRole("link", { name: "Find products" })).toBeVisible();
});

// @ts-expect-error: none is without one
void (<EmptyState>Nothing is here.</EmptyState>);
