import type { Page, Request, Response } from "@playwright/test";
import { ADDRESSES, filled, screensOf, type Who } from "../screens/addresses";
import { samples } from "../screens/opening";
import { aCart } from "./buying";
import { expect, test } from "./journey";
import { ADA, OLIVIA } from "./people";
import { IVAN } from "./stack";
import { Walker } from "./walk";

const OPEN_TO_ALL = ["/", "/activation", "/search", "/search?v=list", "/deals"];
/** Other faces of screens that have one address in the table. */
const FACES = ["/search?v=list", "/search?qo=true", "/cart/checkout/products?token={cart}"];
const INSTALLERS = [
  "/",
  "/activation",
  "/search",
  "/cart",
  "/my-orders",
  "/devices",
  "/wiring",
  "/visits",
  "/profile",
];

const ROLES = [
  ["a visitor", undefined, [...OPEN_TO_ALL, ...addressesOf("visitor")]],
  ["an installer", IVAN, INSTALLERS],
  ["an owner", OLIVIA, [...addressesOf("owner"), ...FACES]],
  ["an administrator", ADA, addressesOf("administrator")],
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
    const cart = person === OLIVIA ? await aCart(page, OLIVIA, 2) : "";
    await page.context().clearCookies();
    if (person) await Walker.signIn(page, person);
    await page.addInitScript(countShifts);
    const faults: string[] = [];
    for (const to of paths) {
      const path = filled(to, { ...found, cart });
      const { shift, moved, refused, twice } = await openedBy(page, path);
      process.stdout.write(`${role} ${path}: CLS ${shift.toFixed(3)}\n`);
      if (shift >= MOST_SHIFT) faults.push(`${path}: CLS ${shift.toFixed(3)} ${moved.join(", ")}`);
      faults.push(...refused.map((one) => `${path}: ${one}`));
      faults.push(...twice.map((one) => `${path}: twice ${one}`));
    }
    expect(faults).toEqual([]);
  });
}

async function openedBy(page: Page, path: string) {
  const refused: string[] = [];
  const asked = new Map<string, number>();
  const onResponse = (answer: Response) => {
    // Whoever has no sign-in is told so by the first call.
    if (answer.status() >= 400 && !answer.url().endsWith("/auth/renew"))
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
