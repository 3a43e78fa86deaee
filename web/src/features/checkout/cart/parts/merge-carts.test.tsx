import { useQueryClient } from "@tanstack/react-query";
import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useEffect } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepCart } from "~/shared/cart/keep";
import { setStaleCart, useStaleCart } from "~/shared/cart/stale";
import { begin, end } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { aCart } from "~/testing/shop/a-cart";
import { show } from "~/testing/show";
import { MergeCarts } from "./merge-carts";

const NEWER = aCart({ token: "newer" });
const LINES = [{ variantId: "v1", quantity: 2, name: "Siren" }];

beforeEach(() => begin(aPerson({ purchasing_rights: true }), "token"));
afterEach(() => {
  vi.restoreAllMocks();
  act(() => {
    setStaleCart(undefined);
    end();
  });
});

function Page() {
  const cache = useQueryClient();
  const stale = useStaleCart();
  useEffect(() => void keepCart(cache, NEWER), [cache]);
  return stale ? (
    <>
      <output>{stale.token}</output>
      <MergeCarts cart={NEWER} stale={stale} onDone={() => setStaleCart(undefined)} />
    </>
  ) : null;
}

test("what was to be added is asked about again when the newer cart was replaced as well", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) =>
    (asked as Request).method === "GET"
      ? Response.json(aCart({ token: "older" }))
      : Response.json({ code: "stale_cart" }, { status: 409 }),
  );
  setStaleCart({ token: "older", lines: LINES });
  show(<Page />);
  const use = screen.getByRole("button", { name: "Use the newest cart" });
  await userEvent.click(use);
  await vi.waitFor(() => expect(use).toBeEnabled());
  expect(await screen.findByText("newer")).toBeVisible();
  expect(screen.getByText("Just to be added: 2 × Siren")).toBeVisible();
});
