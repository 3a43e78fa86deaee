import { i18n } from "@lingui/core";
import { act, renderHook, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { clearAlerts, useAlerts } from "~/shared/alerts/alerts";
import { amend, begin, end } from "~/shared/session/session";
import { aPerson, aRep, aWork } from "~/testing/a-person";
import { aCart } from "~/testing/shop/a-cart";
import { showPage } from "~/testing/show";
import { AddToCart } from "./add-to-cart";

afterEach(() => {
  vi.restoreAllMocks();
  act(() => end());
  sessionStorage.clear();
  clearAlerts();
});

const article = (
  <AddToCart
    productId="p1"
    variantId="v1"
    name="Remote starter"
    caseQuantity={1}
    isForPurchase
    hasPrice
  />
);

test("a visitor is told on the login page why they are there", async () => {
  end();
  const { history } = await showPage(article, "/search?s=remote");
  history.subscribe(clearAlerts); // as another page does
  await userEvent.click(screen.getByRole("button", { name: "Add to cart: Remote starter" }));
  await waitFor(() => expect(history.location.pathname).toBe("/login"));
  const told = () => renderHook(useAlerts).result.current.flatMap(({ content }) => content);
  await waitFor(() =>
    expect(told().map((line) => (typeof line === "string" ? line : i18n._(line)))).toEqual([
      "Please log in; then it is added to your cart.",
    ]),
  );
});

test("what is added is the number that is shown, however soon after its last press", async () => {
  begin(aPerson({ purchasing_rights: true }), "token");
  const asked = vi
    .spyOn(globalThis, "fetch")
    .mockImplementation(async () => Response.json(aCart({ quantity: 2 })));
  await showPage(article);
  await userEvent.click(screen.getByRole("button", { name: "One more: Remote starter" }));
  await userEvent.click(screen.getByRole("button", { name: "Add to cart: Remote starter" }));
  await waitFor(() => expect(asked).toHaveBeenCalled());
  const [request] = asked.mock.calls[0] ?? [];
  expect(await (request as Request).json()).toMatchObject({
    lines: [{ variantId: "v1", quantity: 2 }],
  });
});

test("what is pressed again is the same add, and another one for another business", async () => {
  const { business } = aWork(true);
  const workFor = (code: string) =>
    act(() => amend({ work: { ...aWork(true), business: business && { ...business, code } } }));
  begin(aRep(), "token");
  workFor("N1001");
  const keys: (string | null)[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    keys.push((request as Request).headers.get("Idempotency-Key"));
    throw new TypeError("Failed to fetch");
  });
  await showPage(article);
  const press = async (times: number) => {
    await userEvent.click(screen.getByRole("button", { name: "Add to cart: Remote starter" }));
    await waitFor(() => expect(keys).toHaveLength(times));
    await waitFor(() => expect(screen.getByRole("button", { name: /^Add/ })).toBeEnabled());
  };
  await press(1);
  await press(2);
  workFor("N2000");
  await press(3);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});
