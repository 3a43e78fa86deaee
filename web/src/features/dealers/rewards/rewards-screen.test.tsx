import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Schemas } from "~/shared/api/client";
import { begin } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { showPage } from "~/testing/show";
import { RewardsScreen } from "./rewards-screen";

type Sums = Schemas["RewardSums"];
type Payouts = Schemas["PayoutsPage"];

const AMOUNTS: Sums["amounts"] = [
  { family: "X1", products: ["ft-x1", "ft-x1s"], plan: "none", plan_name: null, amount: 5 },
  { family: "X1", products: ["ft-x1", "ft-x1s"], plan: "any", plan_name: null, amount: 10.5 },
  {
    family: "X1",
    products: ["ft-x1", "ft-x1s"],
    plan: "premium_prepaid",
    plan_name: "Premium",
    amount: 15,
  },
  { family: "XC", products: ["ft-xc"], plan: "any", plan_name: null, amount: 8 },
];
const SUM: Sums["results"][number] = {
  installer_id: "ivan",
  installer: "=Ivan",
  month: "2026-10",
  amount: 25.5,
  devices: 2,
};
const PAYOUT: Payouts["results"][number] = {
  month: "2026-10",
  amount: 25.5,
  devices: 2,
  state: "paid",
  paid_at: "2026-11-02T06:00:00Z",
};

let sums: Sums;
const files: Blob[] = [];
const names: string[] = [];

beforeEach(() => {
  sums = { results: [SUM], total: 25.5, amounts: AMOUNTS };
  files.length = 0;
  names.length = 0;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const { url } = input as Request;
    if (url.includes("/reward-sums")) return Response.json(sums);
    return Response.json({ results: [PAYOUT], count: 1 } satisfies Payouts);
  });
  URL.createObjectURL = (file) => {
    files.push(file as Blob);
    return "blob:file";
  };
  URL.revokeObjectURL = () => undefined;
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    names.push(this.download);
  });
});

afterEach(() => vi.restoreAllMocks());

const rowOf = (table: HTMLElement, name: RegExp) =>
  within(table)
    .getAllByRole("row")
    .find((row) => name.test(row.textContent ?? ""));

test("what a device earns is said by family and plan, before anything was earned too", async () => {
  sums = { ...sums, results: [], total: 0 };
  begin(aPerson(), "t");
  await showPage(<RewardsScreen stretch={{}} />);
  await screen.findByText("FT-X1, FT-X1S");
  const table = screen.getByRole("table", { name: "What a device earns" });
  const heads = within(table).getAllByRole("columnheader");
  expect(heads.map((head) => head.textContent)).toEqual([
    "Products",
    "Without a plan",
    "Premium",
    "Any other plan",
  ]);
  expect(rowOf(table, /FT-X1, FT-X1S/)?.textContent).toMatch(/\$5\.00.*\$15\.00.*\$10\.50/);
  expect(rowOf(table, /FT-XC/)?.textContent).toMatch(/–.*\$8\.00.*\$8\.00/);
});

test("the rewards and the payouts are kept as files, in which nothing is a formula", async () => {
  begin(aPerson({ is_owner: true }), "t");
  await showPage(<RewardsScreen stretch={{}} />);
  await userEvent.click(await screen.findByRole("button", { name: "Download as CSV" }));
  const payouts = screen.getByRole("button", { name: "Download as CSV: payouts" });
  await vi.waitFor(() => expect(payouts).toBeEnabled());
  await userEvent.click(payouts);
  expect(names).toEqual(["rewards.csv", "payouts.csv"]);
  expect(await Promise.all(files.map((file) => file.text()))).toEqual([
    '"Installer","Month","Devices","Amount"\r\n"\'=Ivan","2026-10",2,25.5',
    '"Month","Devices","Amount","State","Paid on"\r\n"2026-10",2,25.5,"Paid","2026-11-02"',
  ]);
});
