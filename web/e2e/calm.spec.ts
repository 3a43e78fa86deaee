import { randomUUID } from "node:crypto";
import type { Page, Request, Response } from "@playwright/test";
import { ADDRESSES, filled, screensOf, type Who } from "../screens/addresses";
import { samples } from "../screens/opening";
import { aCart } from "./buying";
import { expect, test } from "./journey";
import { ADA, INES, OLIVIA, OWEN, RENE } from "./people";
import { aDevice, CHLOE, IVAN, simDigits } from "./stack";
import { Walker } from "./walk";

const OPEN_TO_ALL = ["/", "/activation", "/search", "/search?v=list", "/deals"];
/** Other faces of screens that have one address in the table. */
const FACES = ["/search?v=list", "/search?qo=true", "/cart/checkout/products?token={cart}"];
/** What is for everybody who signs in, the retired included. */
const EVERYBODYS = [
  "/",
  "/search",
  "/product/{product}",
  "/deals",
  "/wiring",
  "/installer-guides",
  "/profile",
  "/contact-us",
];
const INSTALLERS = [
  ...EVERYBODYS,
  "/activation",
  "/activation/device?id={activation}",
  "/activation/handout?id={completed}",
  "/cart",
  "/my-orders",
  "/devices",
  "/devices/{device}",
  "/devices/{device}/firmware",
  "/visits",
  "/rewards",
  "/subscriptions",
];
const PURCHASERS = [
  ...INSTALLERS,
  "/search?qo=true",
  "/order/{order}",
  "/invoice",
  "/credit-memo",
  "/statement",
  "/billing",
  "/approvals",
  "/subscriptions/receipts",
];
/** Before a business is chosen. */
const REPS = ["/", "/search", "/deals", "/cart", "/my-orders", "/wiring", "/profile"];
const GUESTS = ["/activation/device?id={guests}#resume={resume}", "/activation", "/"];

const ROLES = [
  ["a visitor", undefined, [...OPEN_TO_ALL, ...addressesOf("visitor")]],
  ["a guest with a link", undefined, GUESTS],
  ["somebody who has retired", RENE, EVERYBODYS],
  ["an installer", IVAN, INSTALLERS],
  ["a purchaser", CHLOE, PURCHASERS],
  ["an inside rep", INES, [...REPS, "/activation", "/devices", "/visits"]],
  ["an outside rep", OWEN, [...REPS, "/activation", "/devices", "/visits"]],
  ["an owner", OLIVIA, [...addressesOf("owner"), ...FACES]],
  ["an administrator", ADA, [...addressesOf("administrator"), "/devices", "/visits"]],
] as const;

/** Where a kind of person looks at the screens of the table, but for those of what is not there: that is refused. */
function addressesOf(who: Who): string[] {
  return screensOf(who)
    .map((path) => ADDRESSES[path]?.to ?? path)
    .filter((to) => !/\bnone$/.test(to));
}

/** No change may be missed: what is followed is asked for again when the live stream opens. */
const ASKED_ANEW = /^\/v1\/(approvals|orders\/\w+(\/cases)?)$/;

/** How far a page may move beneath a finger (CLS). */
const MOST_SHIFT = 0.05;

for (const [role, person, paths] of ROLES) {
  test(`${role} opens pages that stand still, are never refused and ask nothing twice @phone`, {
    tag: "@whole",
  }, async ({ page }) => {
    test.setTimeout(600_000);
    const found = await samples(page, OLIVIA);
    const guest = paths === GUESTS ? await aGuests(page) : {};
    const cart = person === OLIVIA ? await aCart(page, OLIVIA, 2) : "";
    await page.context().clearCookies();
    if (person) await Walker.signIn(page, person);
    await page.addInitScript(countShifts);
    const faults: string[] = [];
    for (const to of paths) {
      const path = filled(to, { ...found, ...guest, cart });
      const { shift, moved, refused, twice } = await openedBy(page, path);
      process.stdout.write(`${role} ${path}: CLS ${shift.toFixed(3)}\n`);
      if (shift >= MOST_SHIFT) faults.push(`${path}: CLS ${shift.toFixed(3)} ${moved.join(", ")}`);
      faults.push(...refused.map((one) => `${path}: ${one}`));
      faults.push(...twice.map((one) => `${path}: twice ${one}`));
    }
    expect(faults).toEqual([]);
  });
}

/** What a guest has begun, and the secret of the link that it is found again by. */
async function aGuests(page: Page): Promise<Record<string, string>> {
  const { key } = aDevice();
  const begun = await page.request.post("/v1/activations", {
    headers: { "Idempotency-Key": randomUUID() },
    data: { device_key: key, type: "new-device", iccid_last_digits: await simDigits(key) },
  });
  expect(begun.ok(), await begun.text()).toBe(true);
  const { id, resume_token } = (await begun.json()) as { id: string; resume_token: string };
  return { guests: id, resume: resume_token };
}

async function openedBy(page: Page, path: string) {
  const refused: string[] = [];
  const asked = new Map<string, number>();
  const onResponse = (answer: Response) => {
    if (answer.status() >= 400)
      refused.push(`${answer.status()} ${new URL(answer.url()).pathname}`);
  };
  const onRequest = (request: Request) => {
    const { pathname, search } = new URL(request.url());
    const call = `${request.method()} ${pathname}${search} ${request.postData() ?? ""}`;
    if (pathname.startsWith("/v1/") && !ASKED_ANEW.test(pathname))
      asked.set(call, (asked.get(call) ?? 0) + 1);
  };
  page.on("response", onResponse);
  page.on("request", onRequest);
  await page.goto(path);
  await expect(page.locator("h1").first()).toBeVisible();
  await expect(page.locator("[aria-busy=true], .mantine-Skeleton-root")).toHaveCount(0);
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (let frame = 0; frame < 20; frame += 1)
      await new Promise((done) => requestAnimationFrame(done));
  });
  const { shift, moved } = await page.evaluate(() => (window as unknown as Shifted).shifted);
  page.off("response", onResponse);
  page.off("request", onRequest);
  const twice = [...asked].flatMap(([call, times]) => (times > 1 ? [call.slice(0, 120)] : []));
  return { shift, moved, refused, twice };
}

type Shifted = { shifted: { shift: number; moved: string[] } };

/** How far what is on screen is moved, and what. */
function countShifts() {
  const held = { shift: 0, moved: [] as string[] };
  (window as unknown as Shifted).shifted = held;
  type Source = { node: Node | null };
  type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: Source[] };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Shift[]) {
      if (entry.hadRecentInput) continue;
      held.shift += entry.value;
      for (const { node } of entry.sources)
        held.moved.push(node instanceof Element ? `${node.nodeName}.${node.className}` : "text");
    }
  }).observe({ type: "layout-shift", buffered: true });
}
