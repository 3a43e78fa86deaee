import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { live } from "~/shared/live/live";
import { A_CASE } from "~/testing/runs/a-case";
import { aPurchase, aPurchaseLine } from "~/testing/shop/a-purchase";
import { showPage } from "~/testing/show";
import { CheckoutScreen } from "./checkout-screen";

const CHOSEN = "FT-X1-00000042";
const OTHER = "FT-X2-00000099";

afterEach(() => {
  vi.restoreAllMocks();
});

test.each([
  [[CHOSEN], [CHOSEN]],
  [[], [CHOSEN, OTHER]],
])("of the cart those in the address (%j) are priced", async (devices, priced) => {
  const lines = [CHOSEN, OTHER].map((device_key) => ({ ...aPurchaseLine(), device_key }));
  const asked: { line_items: { device_key: string }[] }[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const sent = request as Request;
    if (sent.method === "POST") {
      asked.push(await sent.json());
      return new Promise<Response>(() => undefined);
    }
    return Response.json({ results: lines, count: 2 });
  });
  await showPage(<CheckoutScreen id={undefined} devices={devices} />);
  await waitFor(() => expect(asked).toHaveLength(1));
  expect(asked[0]?.line_items.map((one) => one.device_key)).toEqual(priced);
});

test("what happens to the money of a purchase is told while it is under way, as it happens", async () => {
  const purchase = aPurchase("provisioning");
  const listeners: (() => void)[] = [];
  vi.spyOn(live, "follow").mockImplementation((topic, listener) => {
    if (topic === `purchase:${purchase.id}`) listeners.push(() => listener(purchase));
    return () => undefined;
  });
  let results: object[] = [];
  let asked = 0;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const { pathname } = new URL((request as Request).url);
    if (pathname.endsWith("/cases")) {
      asked += 1;
      return Response.json({ results });
    }
    return Response.json(pathname.includes("/purchases/") ? purchase : { results: [] });
  });
  await showPage(<CheckoutScreen id={purchase.id} devices={[]} />);
  await waitFor(() => expect(listeners.length).toBeGreaterThan(0));
  await waitFor(() => expect(asked).toBe(1));
  results = [{ ...A_CASE, belongs_to: { kind: "purchase", id: purchase.id, name: "Plans" } }];
  for (const tell of listeners) tell();
  expect(await screen.findByRole("region", { name: "Your money" })).toBeVisible();
});
