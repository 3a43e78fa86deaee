import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";
import { show } from "~/testing/show";
import { ShowMore } from "./paged";

let come: (rows: string[], hasNextPage: boolean) => void;

/** A list of which one page is there, and the next ones come when the test says so. */
function List() {
  const [rows, setRows] = useState(["a", "b"]);
  const [of, setOf] = useState({ hasNextPage: true, isFetchingNextPage: false });
  come = (more, hasNextPage) => {
    setRows([...rows, ...more]);
    setOf({ hasNextPage, isFetchingNextPage: false });
  };
  const fetchNextPage = () => setOf({ ...of, isFetchingNextPage: true });
  return (
    <>
      <ul>
        {rows.map((row) => (
          <li key={row} aria-label={row} />
        ))}
      </ul>
      <ShowMore of={{ ...of, fetchNextPage }} />
    </>
  );
}

test("the focus is at the button again, and at the first new row where no more are left", async () => {
  show(<List />);
  const more = screen.getByRole("button", { name: "Show more" });
  await userEvent.click(more);
  more.blur(); // as browsers do with what is off
  act(() => come(["c"], true));
  expect(more).toHaveFocus();
  await userEvent.click(more);
  act(() => come(["d", "e"], false));
  expect(screen.getByRole("listitem", { name: "d" })).toHaveFocus();
});
