import { act, renderHook } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { aPlacement, aQuote } from "~/testing/a-placement";
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
