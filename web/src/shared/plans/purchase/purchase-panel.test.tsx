import { cleanup, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Problem } from "~/shared/api/errors";
import { chartNamed } from "~/shared/flow/charts";
import { without } from "~/testing/runs/a-flow";
import { aFlowOnScreen } from "~/testing/runs/a-flow-on-screen";
import { aCard } from "~/testing/shop/a-payment-method";
import { aPurchase, aPurchaseLine } from "~/testing/shop/a-purchase";
import { showPage } from "~/testing/show";
import type { PurchaseAnswer, PurchaseLine } from "../types";
import { PURCHASE } from "./flow";
import { PurchasePanel } from "./purchase-panel";

beforeEach(() => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () =>
    Response.json({
      results: [aCard({ isMain: true }), aCard({ id: "card2", last4: "4444" })],
      allowed: { cards: true, bank: true, cod: true, terms: true },
      creditAvailable: null,
    }),
  );
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function shown(answer: PurchaseAnswer) {
  const { run, asked } = aFlowOnScreen(answer, PURCHASE);
  const fresh: string[][] = [];
  const onFresh = (lines: readonly PurchaseLine[]) =>
    fresh.push(lines.map(({ device_key }) => device_key));
  await showPage(<PurchasePanel run={run} onFresh={onFresh} freshening={false} />);
  return { asked, fresh };
}

const lines = () =>
  within(screen.getByRole("list", { name: "Devices and plans" })).getAllByRole("listitem");

const FAILED = aPurchaseLine({
  device_key: "FT-X2-00000043",
  status: "failed",
  problem: "plan_refused",
  detail: "The device network refused the plan.",
});

test("what was refused is put away; what the network lost is sent again under its key", async () => {
  const { run } = aFlowOnScreen(aPurchase("quoted"), PURCHASE);
  const again = vi.fn();
  const dismiss = vi.fn();
  const failing = (problem: Problem) => (
    <PurchasePanel
      run={{ ...run, problem, again, dismiss }}
      onFresh={() => undefined}
      freshening={false}
    />
  );
  await showPage(failing(new Problem(409, {})));
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  await userEvent.click(await screen.findByRole("button", { name: "Close" }));
  expect(dismiss).toHaveBeenCalledTimes(1);
  cleanup();
  await showPage(failing(new Problem(502, {})));
  await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
  expect(again).toHaveBeenCalledTimes(1);
});

test("the price is agreed to with its hash, by the main method, and COD is not offered", async () => {
  const { asked } = await shown(aPurchase("quoted"));
  expect(await screen.findByRole("radio", { name: /4242/ })).toBeChecked();
  expect(screen.queryByRole("radio", { name: /COD/ })).toBeNull();
  expect(screen.getByText("GST 5%")).toBeVisible();
  expect(screen.getByText(/Taxes by demo rates/)).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Pay $80.24" }));
  expect(asked).toEqual([
    {
      type: "CONFIRM",
      quoteHash: "0".repeat(64),
      payer: { type: "CARD", method_id: "card1" },
      reason: "",
    },
  ]);
});

test("what credit covers wholly needs no way to pay", async () => {
  const { asked } = await shown(aPurchase("quoted", { final_charge: 0 }));
  await userEvent.click(
    await screen.findByRole("button", { name: "Confirm: there is nothing to pay" }),
  );
  expect(screen.queryByRole("radio")).toBeNull();
  expect(asked).toEqual([
    { type: "CONFIRM", quoteHash: "0".repeat(64), payer: undefined, reason: "" },
  ]);
});

test("above a limit an owner is asked, with a reason", async () => {
  const { asked } = await shown(aPurchase("quoted", { approval_above: 50 }));
  expect(await screen.findByRole("radio", { name: /4242/ })).toBeChecked();
  await userEvent.type(screen.getByLabelText("Reason (for the owner)"), " For the vans 🚐");
  await userEvent.click(screen.getByRole("button", { name: "Ask for approval: $80.24" }));
  expect(asked).toEqual([expect.objectContaining({ type: "CONFIRM", reason: "For the vans" })]);
});

test("what is over a limit is not bought", async () => {
  await shown(
    aPurchase("quoted", { over_limit: { code: "over_order_limit", detail: "Too much" } }),
  );
  expect(await screen.findByRole("radio", { name: /4242/ })).toBeChecked();
  expect(screen.getByText(/above what you may order at once/)).toBeVisible();
  expect(screen.getByRole("button", { name: /^Pay/ })).toBeDisabled();
});

test("a price that changed while it waited is agreed to by its hash, and the old one is told", async () => {
  const { asked } = await shown(aPurchase("requoted", { agreed_charge: 70 }));
  expect(screen.getByText(/\$80.24 instead of \$70.00/)).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Yes, ask the owner again" }));
  expect(asked).toEqual([{ type: "AGREE", quoteHash: "0".repeat(64) }]);
});

test("a price that has expired is worked out again before anything is paid", async () => {
  const past = new Date(Date.now() - 1000).toISOString();
  const { asked, fresh } = await shown(aPurchase("quoted", { expires_at: past }));
  expect(screen.queryByRole("button", { name: /^Pay/ })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Work out the price again" }));
  expect(fresh).toEqual([["FT-X1-00000042"]]);
  expect(asked).toEqual([]);
});

test("after a decline another card pays, and the declined one is not chosen by itself", async () => {
  const { asked } = await shown(
    aPurchase("declined", {
      refused_methods: ["card1"],
      error: { code: "declined", detail: "This transaction has been declined." },
    }),
  );
  expect(screen.getByRole("alert")).toHaveTextContent("This transaction has been declined.");
  const declined = await screen.findByRole("radio", { name: /4242.*Declined for this payment/ });
  expect(declined).not.toBeChecked();
  expect(screen.getByRole("button", { name: /^Pay/ })).toBeDisabled();
  await userEvent.click(screen.getByRole("radio", { name: /4444/ }));
  await userEvent.click(screen.getByRole("button", { name: /^Pay/ }));
  expect(asked).toEqual([{ type: "PAY", payer: { type: "CARD", method_id: "card2" } }]);
});

test("what failed is tried again alone, or given up", async () => {
  const done = aPurchaseLine({ status: "provisioned" });
  const { asked } = await shown(aPurchase("part_failed", { lines: [done, FAILED] }));
  const [good, bad] = lines();
  if (!good || !bad) throw new Error("two lines");
  expect(within(good).queryByRole("button")).toBeNull();
  expect(bad).toHaveTextContent("The device network refused the plan.");
  await userEvent.click(within(bad).getByRole("button", { name: "Try again: FT-X2-00000043" }));
  await userEvent.click(screen.getByRole("button", { name: /^Give them up/ }));
  expect(asked).toEqual([{ type: "RETRY", deviceKeys: ["FT-X2-00000043"] }, { type: "GIVE_UP" }]);
});

test("a line that cannot be bought is named, and taken out of the price", async () => {
  const refused = aPurchaseLine({
    device_key: "FT-X1-90000001",
    new_plan_name: "",
    status: "refused",
    problem: "unknown_device",
  });
  const { fresh } = await shown(aPurchase("quoted", { lines: [aPurchaseLine(), refused] }));
  const line = lines()[1];
  expect(line).toHaveTextContent("We could not find this device. Please check the serial number.");
  expect(line).toHaveTextContent("Premium Prepaid");
  await userEvent.click(screen.getByRole("button", { name: "Take out: FT-X1-90000001" }));
  expect(fresh).toEqual([["FT-X1-00000042"]]);
});

test("where nothing can be bought there is nothing to pay", async () => {
  const refused = aPurchaseLine({ status: "refused", problem: "plan_retired" });
  await shown(aPurchase("quoted", { lines: [refused] }));
  expect(screen.queryByRole("button", { name: /^Pay/ })).toBeNull();
  expect(screen.getByRole("link", { name: "Choose other plans" })).toHaveAttribute(
    "href",
    expect.stringMatching(/^\/subscriptions\/plans\?device=.*FT-X1-00000042/),
  );
});

test("the bank's question leads to the bank", async () => {
  await shown(
    aPurchase("action_required", {
      payment: {
        type: "CARD",
        method_id: "card1",
        shown: "Visa •••• 4242",
        status: "ACTION_REQUIRED",
        attempt: 1,
        detail: null,
        action_url: "https://bank.example/confirm",
      },
    }),
  );
  expect(screen.getByRole("link", { name: "Confirm with your bank" })).toHaveAttribute(
    "href",
    "https://bank.example/confirm",
  );
});

test("a page that does not know the way out does not offer it", async () => {
  const chart = without("action_required", "CANCEL", chartNamed("purchase", 3));
  const { run } = aFlowOnScreen(aPurchase("action_required"), {
    ...PURCHASE,
    chartOf: () => chart,
  });
  await showPage(<PurchasePanel run={run} onFresh={() => undefined} freshening={false} />);
  expect(run.drift).toBe(1);
  expect(screen.queryByRole("button", { name: "Cancel the purchase" })).toBeNull();
});

test("who does not confirm it at the bank can cancel", async () => {
  const { asked } = await shown(aPurchase("action_required"));
  await userEvent.click(screen.getByRole("button", { name: "Cancel the purchase" }));
  expect(asked).toEqual([{ type: "CANCEL" }]);
});

test.each([
  "The provider did not answer. Whatever it took is paid back.",
  "What was charged is being paid back.",
])("that nothing was charged is not said where nobody knows it: %s", async (left) => {
  const why = "The payment was not confirmed in time.";
  await shown(aPurchase("declined", { error: { code: "declined", detail: `${why} ${left}` } }));
  expect(screen.getByText(/not confirmed in time/)).toHaveTextContent(`${why} ${left}`);
  expect(screen.queryByText(/Nothing was charged/)).toBeNull();
});

test("a purchase that was cancelled says what becomes of the money", async () => {
  const left = "The provider did not answer. Whatever it took is paid back.";
  const payment = {
    type: "CARD",
    method_id: "card1",
    shown: "Visa •••• 4242",
    status: "VOIDED",
    attempt: 1,
    detail: left,
    action_url: null,
  } as const;
  await shown(aPurchase("cancelled", { payment }));
  expect(screen.getByText(/was cancelled/)).toHaveTextContent(left);
  expect(screen.queryByText(/Nothing was charged/)).toBeNull();
});

test.each(["declined", "cancelled", "expired", "rejected"])(
  "what is left of an earlier charge is told where a purchase is %s",
  async (state) => {
    const left = "Your bank is on its way with the money. Whatever arrives is paid back.";
    await shown(aPurchase(state, { left }));
    expect(screen.getByText(new RegExp(left))).toBeVisible();
    expect(screen.queryByText(/Nothing was charged/)).toBeNull();
  },
);

test("what the server does not allow is off, whatever the chart holds", async () => {
  const answer = aPurchase("part_failed", { lines: [FAILED] });
  await shown({ ...answer, allowed: [] });
  expect(screen.getByRole("button", { name: /^Give them up/ })).toBeDisabled();
  expect(screen.getByRole("button", { name: /^Try again/ })).toBeDisabled();
});

test("a purchase of a newer version than this page asks for a reload", async () => {
  await shown(aPurchase("quoted", {}, { version: 9 }));
  expect(screen.getByText(/This page is older/)).toBeVisible();
  expect(await screen.findByRole("button", { name: /^Pay/ })).toBeDisabled();
});

test("the map shows what is behind and what comes", async () => {
  await shown(aPurchase("declined"));
  const places = within(screen.getByRole("list", { name: "The way of the purchase" }));
  const [price, payment, setUp] = places.getAllByRole("listitem");
  expect(price).toHaveTextContent("(done)");
  expect(payment).toHaveAttribute("aria-current", "step");
  expect(setUp).toHaveTextContent(/^3Set-up$/);
});

test.each([
  [0, "This purchase was cancelled. Nothing was charged."],
  [80.24, "This purchase was cancelled. What had been paid is paid back."],
])("a cancelled purchase says what became of the money: %s", async (refunded, words) => {
  await shown(aPurchase("cancelled", { refunded }, { ended: true }));
  expect(screen.getByText(words)).toBeVisible();
});

test.each([
  [0, "This purchase was cancelled. What was charged is being paid back."],
  [20, "This purchase was cancelled. $20.00 is paid back, the rest is being paid back."],
])(
  "what a cancelled purchase still owes is not called uncharged: %s is back",
  async (refunded, words) => {
    const line = aPurchaseLine({ status: "owed", paid: 80.24 });
    await shown(aPurchase("cancelled", { refunded, lines: [line] }, { ended: true }));
    expect(screen.getByText(words)).toBeVisible();
    expect(screen.queryByText(/Nothing was charged/)).toBeNull();
  },
);

test("a purchase whose bank took the debit back says so", async () => {
  const lines = [aPurchaseLine({ status: "unpaid" })];
  await shown(aPurchase("cancelled", { lines }, { ended: true }));
  expect(screen.getByText("This purchase was cancelled: your bank did not pay.")).toBeVisible();
});

test("what may still succeed is tried by itself, and given up by nobody but its buyer", async () => {
  const deadline = new Date(Date.now() + 300_000).toISOString();
  await shown(aPurchase("part_failed", { lines: [FAILED], deadline }));
  expect(screen.getByText(/We try again by ourselves/)).toBeVisible();
  expect(screen.queryByText(/this happens by itself/)).toBeNull();
});

test("after its last try nothing is paid back before its buyer says so", async () => {
  await shown(aPurchase("part_failed", { lines: [FAILED], deadline: null }));
  expect(screen.getByText(/Nothing more happens by itself/)).toBeVisible();
});

test("a purchase of before is still given up by itself", async () => {
  const deadline = new Date(Date.now() + 300_000).toISOString();
  await shown(aPurchase("part_failed", { lines: [FAILED], deadline, version: 2 }));
  expect(screen.getByText(/this happens by itself/)).toBeVisible();
  expect(screen.queryByText(/We try again by ourselves/)).toBeNull();
});

test.each([
  ["provisioned", 0, "Active", "$80.24 paid, tax included"],
  ["refunded", 80.24, "Paid back", "$80.24 paid back, tax included"],
  ["owed", 0, "Being paid back", "$80.24 is being paid back, tax included"],
] as const)("a line tells its state and its money: %s", async (status, refunded, state, money) => {
  const other = aPurchaseLine({ device_key: "FT-X2-00000043", status: "waiting", paid: 12.5 });
  const line = aPurchaseLine({ status, paid: 80.24, refunded });
  await shown(aPurchase("part_failed", { lines: [line, other] }));
  const [first, second] = lines();
  if (!first || !second) throw new Error("two lines");
  expect(within(first).getByText(state)).toBeVisible();
  expect(within(first).getByText(money)).toBeVisible();
  expect(within(second).getByText("Waiting")).toBeVisible();
  expect(within(second).getByText("$12.50 paid, tax included")).toBeVisible();
});

test("a line whose debit came back is told of, and none of it is called paid", async () => {
  const unpaid = aPurchaseLine({ status: "unpaid", paid: 0 });
  await shown(aPurchase("confirmed", { lines: [unpaid] }, { ended: true }));
  const [line] = lines();
  expect(line).toHaveTextContent("Not set up: your bank did not pay");
  expect(line).not.toHaveTextContent(/paid, tax included/);
});
