import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { amend, begin, end } from "~/shared/session/session";
import { aRep, aWork } from "~/testing/a-person";
import { showPage } from "~/testing/show";
import TopSearch from "./top-search";

afterEach(() => {
  end();
  vi.restoreAllMocks();
});

test.each([
  ["/", ""],
  ["/product/p1", ""],
  ["/search", "remote"],
])("with another business what was typed on %s is: %s", async (at, expected) => {
  vi.spyOn(globalThis, "fetch").mockImplementation(() => new Promise(() => undefined));
  begin(aRep(), "t");
  amend({ work: aWork(false) });
  await showPage(<TopSearch />, at);
  const box = await screen.findByRole("combobox", { name: "Search products or SKUs" });
  await userEvent.type(box, "remote");
  expect(box).toHaveValue("remote");
  act(() => amend({ work: aWork(true) }));
  expect(box).toHaveValue(expected);
});
