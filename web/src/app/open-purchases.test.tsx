import { screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { CartScreen } from "~/features/checkout/cart/cart-screen";
import { PlansScreen } from "~/features/plans/plans-screen";
import { SubscriptionsScreen } from "~/features/plans/subscriptions-screen";
import { begin } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { showPage } from "~/testing/show";

const OPEN = { results: [{ id: "p1", device_keys: ["FT-X1-00000042"] }] };
const PAGES: Record<string, ReactNode> = {
  cart: <CartScreen />,
  "choice of a plan": (
    <PlansScreen
      choice={{ devices: [], type: undefined, plan: undefined, slide: "devices" } as never}
    />
  ),
  "Pricing Plans": <SubscriptionsScreen startsWith="" state={undefined} />,
};

afterEach(() => vi.restoreAllMocks());

/** Nothing but the open purchases is answered, and no cart is there. */
function answering() {
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) => {
    const { pathname } = new URL(asked instanceof Request ? asked.url : String(asked));
    if (pathname.includes("purchases")) return Response.json(OPEN);
    if (pathname.includes("token")) return Response.json({ token: null, quantity: 0 });
    return new Promise<Response>(() => undefined);
  });
}

test.each(Object.keys(PAGES))("the %s leads back to a purchase that is under way", async (page) => {
  begin(aPerson({ purchasing_rights: true }), "t");
  answering();
  await showPage(PAGES[page]);
  expect(await screen.findByText("A purchase of a plan for 1 device is under way.")).toBeVisible();
  expect(screen.getByRole("link", { name: "See how far it is" })).toHaveAttribute(
    "href",
    "/cart/checkout/subscriptions?uuid=p1",
  );
});
