import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { clearAlerts } from "~/shared/alerts/alerts";
import { begin, end } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { aCart, aLine } from "~/testing/shop/a-cart";
import { showPage } from "~/testing/show";
import { CartScreen } from "./cart-screen";

const SIREN = aLine({ id: "v1" });
const CAMERA = aLine({ id: "v2" });

beforeEach(() => begin(aPerson({ purchasing_rights: true }), "token"));

afterEach(() => {
  vi.restoreAllMocks();
  act(() => {
    end();
    clearAlerts();
  });
});

/** A server with both articles in the cart, of which each call that takes one out is answered when the test says so. */
function served() {
  const removing: (() => void)[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) => {
    const { pathname } = new URL(asked instanceof Request ? asked.url : String(asked));
    if (pathname.endsWith("/last-b2b-token"))
      return Response.json({ token: aCart().token, quantity: 2 });
    if (pathname.endsWith("/delete-lines")) {
      await new Promise<void>((answer) => removing.push(answer));
      return Response.json(aCart({ rev: 2, lines: [CAMERA], quantity: 1 }));
    }
    if (pathname.startsWith("/api/products-checkout/"))
      return Response.json(aCart({ lines: [SIREN, CAMERA], quantity: 2 }));
    return pathname === "/v1/plan-lines"
      ? Response.json({ results: [], count: 0 })
      : Response.json({ code: "not_found" }, { status: 404 });
  });
  return removing;
}

test("a line is taken out once, however often it is pressed, and the line beside it has the focus", async () => {
  const removing = served();
  await showPage(<CartScreen />, "/cart");
  await userEvent.dblClick(await screen.findByRole("button", { name: "Remove: Article v1" }));
  await waitFor(() => expect(removing).toHaveLength(1));
  removing[0]?.();
  await waitFor(() => expect(screen.queryByText("Article v1")).toBeNull());
  expect(screen.getByText("Article v2").closest("li")).toHaveFocus();
  expect(removing).toHaveLength(1);
});
