import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Schemas } from "~/shared/api/client";
import { begin } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { showPage } from "~/testing/show";
import { EmployeeScreen } from "./employee-screen";

type Rewards = Schemas["RewardsPage"];

const REWARD: Rewards["results"][number] = {
  activation_id: "a1",
  kind: "earned",
  installer_id: "ivan",
  installer: "Ivan",
  device_key: "FT-X1-00000042",
  product_name: "ft-x1",
  plan: null,
  amount: 5,
  shared_among: 1,
  earned_at: "2026-10-05T12:00:00Z",
};

const asked: string[] = [];

beforeEach(() => {
  asked.length = 0;
  begin(aPerson({ is_owner: true }), "t");
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    asked.push(new URL((input as Request).url).search);
    return Response.json({ results: [REWARD], count: 31, total: 155 } satisfies Rewards);
  });
});

afterEach(() => vi.restoreAllMocks());

test("what was taken back is an entry of its own, and no other device", async () => {
  const back = { ...REWARD, kind: "taken_back" as const, amount: -5 };
  vi.mocked(fetch).mockImplementation(async () =>
    Response.json({ results: [back, REWARD], count: 2, total: 0 } satisfies Rewards),
  );
  await showPage(<EmployeeScreen installerId="ivan" part={{ page: 1, rows: 10 }} stretch={{}} />);
  expect(await screen.findByText("2 entries")).toHaveRole("status");
  expect(screen.getAllByRole("link", { name: REWARD.device_key })).toHaveLength(2);
});

test("rewards are shown by as many as a page of every table has, and more on request", async () => {
  const part = { page: 2, rows: 10 };
  const { history } = await showPage(
    <EmployeeScreen installerId="ivan" part={part} stretch={{}} />,
  );
  const choice = await screen.findByRole("combobox", { name: "Per page" });
  expect(asked).toEqual(["?installer_id=ivan&limit=10&offset=10"]);
  expect(screen.getByRole("link", { name: "Page 4" })).toHaveAttribute(
    "href",
    "/rewards/ivan?page=4",
  );
  await userEvent.selectOptions(choice, "60");
  expect(history.location.href).toBe("/rewards/ivan?rows=60");
});

test("a page beyond the last one leads to that", async () => {
  const part = { page: 50, rows: 10 };
  const stretch = { from: "2026-10-01" };
  const { history } = await showPage(
    <EmployeeScreen installerId="ivan" part={part} stretch={stretch} />,
  );
  await vi.waitFor(() =>
    expect(history.location.href).toBe("/rewards/ivan?from=2026-10-01&page=4"),
  );
});

test("rewards that did not come are asked for again", async () => {
  vi.mocked(globalThis.fetch).mockRejectedValueOnce(new TypeError("fetch failed"));
  const part = { page: 1, rows: 10 };
  await showPage(<EmployeeScreen installerId="ivan" part={part} stretch={{}} />);
  await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("table", { name: "Rewards" })).toBeVisible();
});
