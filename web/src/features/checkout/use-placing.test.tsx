import { act, renderHook } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { Cart } from "~/shared/cart/queries";
import { aPlacement, aQuote } from "~/testing/a-placement";
import { holding } from "~/testing/show";
import { placeOrder } from "./calls";
import { askForQuote } from "./queries";
import { usePlacing } from "./use-placing";

vi.mock("./calls", () => ({ placeOrder: vi.fn() }));
vi.mock("./queries", async (load) => ({
  ...(await load<typeof import("./queries")>()),
  askForQuote: vi.fn(),
}));

const cart = { token: "cart-of-a-test-0001", rev: 1, poNumber: null } as Cart;
const payment = { type: "COD" as const, method_id: null };

test("a PO number that another order has is warned of once, and then placed", async () => {
  const quote = aQuote({ po_number: "PO 7", po_ordered: "T-100001" });
  vi.mocked(askForQuote).mockResolvedValue(quote);
  vi.mocked(placeOrder).mockResolvedValue({ order: null, placement: aPlacement() } as never);
  const draft = { busy: false, write: vi.fn().mockResolvedValue(cart), choose: vi.fn() };
  const { result } = renderHook(() => usePlacing(cart.token, draft), { wrapper: holding() });
  const order = { cart, payment, po: "PO 7", reason: "", agreed: quote, shown: quote };
  await act(() => result.current.place(order));
  expect(result.current.repeated).toBe("T-100001");
  expect(placeOrder).not.toHaveBeenCalled();
  await act(() => result.current.place(order));
  expect(placeOrder).toHaveBeenCalledOnce();
  expect(result.current.repeated).toBeUndefined();
});
