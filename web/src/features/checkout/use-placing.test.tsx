import { act, renderHook } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { Problem } from "~/shared/api/errors";
import { aPlacement, aQuote } from "~/testing/a-placement";
import { holding } from "~/testing/show";
import { placeOrder } from "./calls";
import { usePlacing } from "./use-placing";

vi.mock("./calls", () => ({ placeOrder: vi.fn() }));

const token = "cart-of-a-test-0001";
const order = {
  payment: { type: "COD" as const, method_id: null },
  po: "PO 7 ",
  reason: "",
  agreed: aQuote({ figures_hash: "f".repeat(64) }),
};

test("one call says how it is paid, its PO number and the figures that were agreed to", async () => {
  vi.mocked(placeOrder).mockResolvedValue({ order: null, placement: aPlacement() } as never);
  const { result } = renderHook(() => usePlacing(token), { wrapper: holding() });
  await act(() => result.current.place(order));
  expect(vi.mocked(placeOrder).mock.calls.map(([, body]) => body)).toEqual([
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
  vi.mocked(placeOrder).mockReset();
  const repeated = { code: "po_number_repeated", detail: "Taken.", order: "T-100001" };
  vi.mocked(placeOrder).mockRejectedValueOnce(new Problem(409, repeated));
  vi.mocked(placeOrder).mockResolvedValue({ order: null, placement: aPlacement() } as never);
  const { result } = renderHook(() => usePlacing(token), { wrapper: holding() });
  await act(() => result.current.place(order));
  expect(result.current.repeated).toBe("T-100001");
  expect(result.current.problem).toBeUndefined();
  await act(() => result.current.place(order));
  expect(vi.mocked(placeOrder).mock.lastCall?.[1].knowsPo).toBe(true);
  expect(result.current.repeated).toBeUndefined();
});
