import { screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { showPage } from "~/testing/show";
import { Desk } from "./desk";
import type { StartPage } from "./queries";

const NOTHING: StartPage = {
  activations: null,
  orders: null,
  credit: null,
  plans: null,
  approvals: null,
  cases: null,
  recent_businesses: null,
  operations: null,
};
const FIGURES = { attention: 0, stuck: 1, retrying: 0, open_cases: 0, unwell: [] };

async function shown(page: Partial<StartPage>) {
  vi.spyOn(globalThis, "fetch").mockResolvedValue(Response.json({ ...NOTHING, ...page }));
  await showPage(
    <Desk
      scope="mine"
      activations={() => <p>activations</p>}
      approvals={() => <p>approvals</p>}
      businesses={() => <p>businesses</p>}
    />,
  );
  return (await screen.findByRole("region", { name: "Operations" })).parentElement;
}

afterEach(() => vi.restoreAllMocks());

test("whoever activates nothing begins with the operators' figures", async () => {
  const column = await shown({ operations: FIGURES });
  expect(column?.previousElementSibling).toBeNull();
  expect(screen.queryByText("activations")).toBeNull();
});

test("whoever has an unfinished activation begins with it", async () => {
  const activations = { results: [], count: 1, end_cursor: null };
  const column = await shown({ operations: FIGURES, activations });
  expect(column?.previousElementSibling).toContainElement(screen.getByText("activations"));
});
