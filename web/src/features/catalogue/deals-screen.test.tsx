import { act, renderHook, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { closeBusiness, useAskedForBusiness } from "~/shared/session/ask-business";
import { amend, begin, end, type Work } from "~/shared/session/session";
import { aPerson, aRep, aWork } from "~/testing/a-person";
import { showPage } from "~/testing/show";
import { DealsScreen } from "./deals-screen";

afterEach(() => {
  vi.restoreAllMocks();
  act(closeBusiness);
  act(() => end());
});

const { business } = aWork(true);
const own = (channel: string): Work => ({
  ...aWork(true),
  must_choose: false,
  business: business && { ...business, channel },
});
const alone: Work = { ...aWork(false), must_choose: false };

async function shown(who?: { user: ReturnType<typeof aPerson>; work: Work }) {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () =>
    Response.json({ results: [], totalCount: 0, coupons: [] }),
  );
  if (who) {
    begin(who.user, "token");
    amend({ work: who.work });
  }
  await showPage(<DealsScreen />);
}

test.each([
  ["a visitor", undefined, /^You see list prices. Log in/],
  ["a rep without a business", { user: aRep(), work: aWork(false) }, /Select a business/],
  ["a consumer", { user: aPerson({ is_b2c: true }), work: alone }, /^You see list prices.$/],
  ["a dealer who has those", { user: aPerson(), work: own("msrp") }, /^You see list prices.$/],
])("%s is told that the prices are those of the list", async (_, who, words) => {
  await shown(who);
  expect(await screen.findByText(words)).toBeVisible();
});

test.each([
  ["a dealer", { user: aPerson(), work: own("dealer-2") }],
  ["a rep for one", { user: aRep(), work: aWork(true) }],
])("%s sees prices of their own", async (_, who) => {
  await shown(who);
  await screen.findByRole("heading", { name: "Deals" });
  expect(screen.queryByText(/list prices/)).toBeNull();
});

test("a rep chooses the business from there", async () => {
  await shown({ user: aRep(), work: aWork(false) });
  await userEvent.click(await screen.findByRole("button", { name: "Select Business" }));
  expect(renderHook(useAskedForBusiness).result.current).toBeDefined();
});
