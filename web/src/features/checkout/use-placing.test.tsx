import { useQuery } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { type Cart, cartQuery } from "~/shared/cart/queries";
import { aCart } from "~/testing/shop/a-cart";
import { aPlacement, aQuote } from "~/testing/shop/a-placement";
import { holding } from "~/testing/show";
import { usePlacing } from "./use-placing";

const token = "cart-of-a-test-0001";
const order = {
  payment: { type: "COD" as const, method_id: null },
  po: "PO 7 ",
  reason: "",
  agreed: aQuote({ figures_hash: "f".repeat(64) }),
};

/** A server that answers the first orders with these, and takes all others; returns what each of them said. */
function placing(...first: Response[]) {
  const placed: unknown[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) => {
    const request = asked as Request;
    if (request.method === "GET") return new Promise<Response>(() => undefined);
    placed.push(await request.json());
    return first.shift() ?? Response.json({ order: null, placement: aPlacement() });
  });
  return placed;
}

test("one call says how it is paid, its PO number and the figures that were agreed to", async () => {
  const placed = placing();
  const { result } = renderHook(() => usePlacing(token), { wrapper: holding() });
  await act(() => result.current.place(order));
  expect(placed).toEqual([
    {
      selectedPayment: { type: "COD", methodId: null },
      poNumber: "PO 7",
      knowsPo: false,
      quoteHash: "f".repeat(64),
      approvalReason: "",
    },
  ]);
});

test("a double click places one order, and one whose answer was lost is placed again as the same", async () => {
  const keys: (string | null)[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) => {
    const request = asked as Request;
    if (request.method === "GET") return new Response(null, { status: 404 });
    keys.push(request.headers.get("Idempotency-Key"));
    if (keys.length === 1) throw new TypeError("Failed to fetch");
    return Response.json({ order: null, placement: aPlacement() });
  });
  const { result } = renderHook(() => usePlacing(token), { wrapper: holding() });
  await act(() => Promise.all([result.current.place(order), result.current.place(order)]));
  expect(keys).toHaveLength(1);
  await waitFor(() => expect(result.current.problem?.passing).toBe(true));
  await act(() => result.current.place(order));
  expect(keys).toEqual([keys[0], keys[0]]);
  await waitFor(() => expect(result.current.problem).toBeUndefined());
});

test("the page of a cart that was emptied elsewhere is cleared when its order is refused", async () => {
  const line = { id: "l1" } as Cart["lines"][number]; // nothing of it is shown
  let held = aCart({ token, lines: [line] });
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) => {
    const { method, url } = asked as Request;
    if (method === "GET" && url.endsWith(`/products-checkout/${token}`)) return Response.json(held);
    if (method === "GET") return new Response(null, { status: 404 });
    held = aCart({ token, rev: 2 });
    return Response.json({ code: "empty_cart", detail: "Your cart is empty." }, { status: 409 });
  });
  const page = () => ({ cart: useQuery(cartQuery(token)), placing: usePlacing(token) });
  const { result } = renderHook(page, { wrapper: holding() });
  await waitFor(() => expect(result.current.cart.data?.lines).toHaveLength(1));
  await act(() => result.current.placing.place(order));
  await waitFor(() => expect(result.current.cart.data?.lines).toHaveLength(0));
});

test("a PO number that another order has is warned of once, and then placed", async () => {
  const repeated = { code: "po_number_repeated", detail: "Taken.", order: "T-100001" };
  const placed = placing(Response.json(repeated, { status: 409 }));
  const { result } = renderHook(() => usePlacing(token), { wrapper: holding() });
  await act(() => result.current.place(order));
  expect(result.current.repeated).toBe("T-100001");
  expect(result.current.problem).toBeUndefined();
  await act(() => result.current.place(order));
  expect(placed.at(-1)).toMatchObject({ knowsPo: true });
  expect(result.current.repeated).toBeUndefined();
});
