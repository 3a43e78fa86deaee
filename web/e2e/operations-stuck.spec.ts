import { aCart } from "./buying";
import { choose } from "./cards";
import { anotherBrowser, axe, expect, heading, press, signIn, test } from "./journey";
import { ADA, aBuyer } from "./people";
import { Walker } from "./walk";

const SIMULATORS = process.env.E2E_SIMULATORS_URL ?? "http://127.0.0.1:9000";

type Placement = { state: string; view: { order: { id: string; number: string } | null } } | null;

async function erpIsAway(outage: boolean): Promise<void> {
  const answer = await fetch(`${SIMULATORS}/erp/_knobs`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ outage }),
  });
  expect(answer.ok, await answer.text()).toBe(true);
}

test.afterEach(() => erpIsAway(false));

test("a stuck order is found by its number, says what it waits for, and is solved", {
  tag: ["@whole", "@alone"],
}, async ({ page, browser }) => {
  test.setTimeout(240_000);
  const theirs = await anotherBrowser(browser, page);
  const buyer = await aBuyer(theirs);
  await signIn(theirs, buyer);
  const token = await aCart(theirs, buyer);
  await theirs.goto("/cart/checkout/products");
  await choose(theirs, /COD/);
  await expect(theirs.getByRole("button", { name: "Place order" })).toBeEnabled();
  await erpIsAway(true);
  await press(theirs, "Place order");
  const walker = await Walker.signIn(theirs, buyer);
  const look = async () => (await walker.read(`/v1/placements/${token}`)) as Placement;
  await expect.poll(async () => (await look())?.state).toBe("handing_over");
  const { id, number } = (await look())?.view.order ?? { id: "", number: "" };
  await theirs.goto(`/order/${id}`);
  const where = theirs.getByRole("region", { name: "Where is my order?" });
  await expect(where).toContainText("We are handing the order over.");

  await signIn(page, ADA);
  await page.goto("/operations");
  await page.getByLabel("Serial, order, person, …").fill(number);
  await page.getByLabel("Serial, order, person, …").press("Enter");
  const named = page.getByRole("list", { name: `What “${number}” names` });
  await expect(named.getByRole("link", { name: number, exact: true })).toBeVisible();
  const runs = page.getByRole("table", { name: "List of runs" });
  await expect(runs.getByRole("row")).toHaveCount(2);
  await runs.getByRole("row").nth(1).getByRole("link").first().press("Enter");
  await expect(heading(page, /Order/)).toBeVisible();
  const stuck = page.getByRole("region", { name: "Trying again and again" });
  // Waited for until the pause between two tries is long: what follows is no luck.
  await expect(async () => {
    await page.reload();
    await expect(stuck.getByText(/try ([6-9]|\d\d), in this state since/)).toBeVisible({
      timeout: 3000,
    });
  }).toPass({ timeout: 120_000 });
  await expect(stuck).toContainText("hand_order_over");
  await expect(stuck).toContainText("ERP");
  await expect(stuck).toContainText(/last failure/);
  await expect(stuck).toContainText(/next try in/);
  const about = page.getByRole("list", { name: "What it is about" });
  await expect(about.getByRole("link", { name: `Open ${number}` })).toBeVisible();
  await axe(page);

  await erpIsAway(false);
  await press(page, "Try now");
  await expect(where).not.toContainText("We are handing the order over.");
  await expect(async () => {
    await page.reload();
    await expect(page.getByText("confirmed", { exact: true }).first()).toBeVisible({
      timeout: 3000,
    });
  }).toPass();
  await theirs.goto(`/cart/checkout/products?token=${token}`);
  await expect(heading(theirs, "Order Complete")).toBeVisible();
  await expect(theirs.getByText(`Your order ${number} is confirmed`)).toBeVisible();
  await theirs.context().close();
});
