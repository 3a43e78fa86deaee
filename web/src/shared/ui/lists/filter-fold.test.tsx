import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { show } from "~/testing/show";
import { FilterFold } from "./filter-fold";

test("one button opens what is folded away, and counts what is not as usual", async () => {
  show(<FilterFold set={2}>the filters</FilterFold>);
  const unfold = screen.getByRole("button", { name: "Filters (2)" });
  const folded = document.getElementById(unfold.getAttribute("aria-controls") ?? "");
  expect(folded).toHaveTextContent("the filters");
  expect(unfold).toHaveAttribute("aria-expanded", "false");
  expect(folded).not.toHaveAttribute("data-open");
  await userEvent.click(unfold);
  expect(unfold).toHaveAttribute("aria-expanded", "true");
  expect(folded).toHaveAttribute("data-open");
});
