import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { begin } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { lookAgain } from "~/testing/look-again";
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
const SITE = { links: {}, features: { wiring_diagrams: false } };
const FIGURES = { attention: 0, stuck: 1, retrying: 0, open_cases: 0, unwell: [] };

async function show(page: Partial<StartPage>) {
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) =>
    Response.json((asked as Request).url.endsWith("/v1/site") ? SITE : { ...NOTHING, ...page }),
  );
  await showPage(
    <Desk
      scope="mine"
      activations={() => <p>activations</p>}
      approvals={() => <p>approvals</p>}
      businesses={() => <p>businesses</p>}
    />,
  );
}

async function shown(page: Partial<StartPage>) {
  await show(page);
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

test.each<[string, Partial<StartPage>, boolean]>([
  ["whoever has retired", {}, true],
  ["an accountant without a plan that ends", { plans: { results: [], more: false } }, true],
  [
    "an installer without an activation",
    { activations: { results: [], count: 0, end_cursor: null } },
    false,
  ],
])("who has no part of the page finds what is open to them: %s", async (_, page, isThere) => {
  begin(aPerson({ is_retired: true, roles: ["retired"] }), "t");
  await show(page);
  await screen.findByText(isThere ? "Open to you" : "activations");
  expect(screen.queryAllByRole("region", { name: "Open to you" })).toHaveLength(isThere ? 1 : 0);
  if (!isThere) return;
  const links = () => screen.getAllByRole("link").map((link) => link.getAttribute("href"));
  await waitFor(() =>
    expect(links()).toEqual(["/installer-guides", "/profile", "/dealer-request"]),
  );
});

test("a look that fails is told above what was there", async () => {
  const operations = await shown({ operations: FIGURES });
  vi.mocked(fetch).mockImplementation(async () => Response.json({}, { status: 500 }));
  lookAgain();
  expect(await screen.findByRole("button", { name: "Try again" })).toBeVisible();
  expect(operations).toBeInTheDocument();
});
