import { msg } from "@lingui/core/macro";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { showPage } from "~/testing/show";
import { ListFilters } from "./list-filters";

const WORDS = { newest: msg`Newest first`, oldest: msg`Oldest first` };

async function shown(from?: string, sort: "newest" | "oldest" = "newest") {
  const onChange = vi.fn();
  await showPage(
    <ListFilters
      label="Order number"
      wanted={{ term: "", from, to: undefined, sort, rows: 10 }}
      sorts={["newest", "oldest"]}
      words={WORDS}
      onChange={onChange}
    />,
  );
  return onChange;
}

test("what is typed is asked for once it is sent", async () => {
  const onChange = await shown();
  await userEvent.type(screen.getByLabelText("Order number"), "  FT-1 ");
  await userEvent.type(screen.getByLabelText("From"), "2026-11-01");
  expect(onChange).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole("button", { name: "Search" }));
  expect(onChange).toHaveBeenCalledExactlyOnceWith({
    term: "FT-1",
    from: "2026-11-01",
    to: undefined,
  });
});

test("a choice acts at once", async () => {
  const onChange = await shown();
  await userEvent.selectOptions(screen.getByLabelText("Sort by"), "Oldest first");
  await userEvent.selectOptions(screen.getByLabelText("Per page"), "30");
  expect(onChange.mock.calls).toEqual([[{ sort: "oldest" }], [{ rows: 30 }]]);
});

test("what is folded away and not as usual is counted", async () => {
  await shown("2026-11-01", "oldest");
  expect(screen.getByRole("button", { name: "Filters (2)" })).toBeInTheDocument();
});
