import { useQueryClient } from "@tanstack/react-query";
import { screen } from "@testing-library/react";
import { useEffect, useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { usePurchase } from "~/shared/plans/purchase/use-purchase";
import { purchaseQuery } from "~/shared/plans/queries";
import { lookAgain } from "~/testing/look-again";
import { aPurchase, aPurchaseLine } from "~/testing/shop/a-purchase";
import { show, showPage } from "~/testing/show";
import { AlsoInCart } from "./checkout-screen";
import { CompleteScreen, Done } from "./complete-screen";

afterEach(() => {
  vi.restoreAllMocks();
});

/** The page of the purchase, which goes on when the server says that it is complete. */
function Bought() {
  const cache = useQueryClient();
  const [first, setFirst] = useState(aPurchase("paying"));
  const { answer } = usePurchase(first);
  useEffect(() => {
    cache.setQueryData(purchaseQuery("p1").queryKey, aPurchase("paying"));
    setFirst(aPurchase("confirmed", { lines: [SET_UP] }, { rev: 9, ended: true, allowed: [] }));
  }, [cache]);
  return answer.state === "confirmed" ? <CompleteScreen id="p1" /> : null;
}

test("a purchase that was seen to be complete is never shown as incomplete", async () => {
  vi.spyOn(globalThis, "fetch").mockReturnValue(new Promise(() => undefined));
  await showPage(<Bought />);
  expect(await screen.findByText(/The plans are active/)).toBeVisible();
  expect(screen.queryByText(/not complete yet/)).toBeNull();
});

test("a purchase that has come to nothing is not told to be on its way", async () => {
  const nothing = aPurchase("cancelled", {}, { ended: true, allowed: [] });
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json(nothing));
  await showPage(<CompleteScreen id="p1" />);
  expect(await screen.findByText("This purchase was not completed.")).toBeVisible();
  expect(screen.getByRole("link", { name: "See what became of it" })).toBeVisible();
  expect(screen.queryByText(/not complete yet/)).toBeNull();
});

test("a look that fails is told above what is known of the purchase", async () => {
  const paying = aPurchase("paying");
  vi.spyOn(globalThis, "fetch").mockResolvedValueOnce(Response.json(paying));
  await showPage(<CompleteScreen id="p1" />);
  await screen.findByText(/not complete yet/);
  vi.mocked(fetch).mockImplementation(async () => Response.json({}, { status: 400 }));
  lookAgain();
  expect(await screen.findByRole("button", { name: "Try again" })).toBeVisible();
  expect(screen.getByText(/not complete yet/)).toBeVisible();
});

const SET_UP = aPurchaseLine({ status: "provisioned" });
const BACK = aPurchaseLine({ device_key: "FT-X2-00000043", status: "refunded" });

test("the plans are active only where all of them are", () => {
  show(<Done purchase={aPurchase("confirmed", { lines: [SET_UP] })} />);
  expect(screen.getByRole("status")).toHaveTextContent("The plans are active.");
});

test("what was paid back is told beside what is active", () => {
  const lines = [SET_UP, BACK];
  show(<Done purchase={aPurchase("confirmed", { lines, refunded: 80.24 })} />);
  const said = screen.getByRole("status");
  expect(said).toHaveTextContent("1 device could not be set up: its part is paid back.");
  expect(said).toHaveTextContent("$80.24 are on their way back.");
  expect(said).not.toHaveTextContent("The plans are active.");
});

test.each([
  ["owed", "2 devices could not be set up: their part is being paid back."],
  ["unpaid", "2 devices were not set up, as your bank did not pay."],
] as const)("the plans are not called active beside lines that are %s", (status, words) => {
  const none = aPurchaseLine({ device_key: "FT-X2-00000043", status });
  const lines = [SET_UP, none, none];
  show(<Done purchase={aPurchase("confirmed", { lines })} />);
  const said = screen.getByRole("status");
  expect(said).toHaveTextContent(words);
  expect(said).toHaveTextContent("The other plans are active");
  expect(said).not.toHaveTextContent("The plans are active.");
  expect(said).not.toHaveTextContent("on their way back");
});

test("what else is in the cart is told at the checkout", async () => {
  const line = { ...aPurchaseLine(), newPricingPlan: {}, device_key: "FT-X2-00000099" };
  vi.spyOn(globalThis, "fetch").mockResolvedValue(
    Response.json({ results: [line, { ...line, device_key: "FT-X1-00000042" }], count: 2 }),
  );
  await showPage(<AlsoInCart purchase={aPurchase("quoted")} />);
  expect(await screen.findByText(/Your cart holds 1 more plan/)).toBeVisible();
});
