import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { Problem } from "~/shared/api/errors";
import { show } from "~/testing/show";
import { Coupons } from "./coupons";

const usd = (amount: number) => ({ amount, currency: "USD" as const });
const NONE = { entered: null, taken: null, refused: null, near: null };

test("a code is sent by the button and by Enter, and never empty", () => {
  const onEnter = vi.fn(async () => undefined);
  show(<Coupons coupons={NONE} disabled={false} onEnter={onEnter} />);
  const field = screen.getByRole("textbox", { name: "Coupon code" });
  fireEvent.keyDown(field, { key: "Enter" });
  expect(onEnter).not.toHaveBeenCalled();
  fireEvent.change(field, { target: { value: " bulk5 " } });
  fireEvent.click(screen.getByRole("button", { name: "Use the code" }));
  fireEvent.change(field, { target: { value: "winter10" } });
  fireEvent.keyDown(field, { key: "Enter" });
  expect(onEnter.mock.calls).toEqual([["BULK5"], ["WINTER10"]]);
});

test("a code stays typed until it was taken on", async () => {
  const onEnter = vi.fn(async (): Promise<Problem | undefined> => new Problem(503, {}));
  show(<Coupons coupons={NONE} disabled={false} onEnter={onEnter} />);
  const field = screen.getByRole("textbox", { name: "Coupon code" });
  fireEvent.change(field, { target: { value: "bulk5" } });
  await act(async () => fireEvent.click(screen.getByRole("button", { name: "Use the code" })));
  expect(field).toHaveValue("BULK5");
  onEnter.mockResolvedValue(undefined);
  fireEvent.click(screen.getByRole("button", { name: "Use the code" }));
  await waitFor(() => expect(field).toHaveValue(""));
});

test("what is taken, what is missing and what would be better are told", () => {
  const onEnter = vi.fn(async () => undefined);
  const coupons = {
    entered: "BULK5",
    taken: { code: "TEN", description: "10 % off", amount: usd(9) },
    refused: { code: "BULK5", description: "", fault: "below_least" as const, missing: usd(910) },
    near: {
      code: "FROM100",
      description: "20 % off",
      fault: "below_least" as const,
      missing: usd(10),
    },
  };
  show(<Coupons coupons={coupons} disabled={false} onEnter={onEnter} />);
  const [refused, taken] = screen.getAllByRole("status");
  expect(refused).toHaveTextContent("BULK5 needs $910.00 more of the goods that it is for.");
  expect(taken).toHaveTextContent("TEN 10 % off: -$9.00");
  expect(screen.getByText(/\$10\.00 more for FROM100/)).toBeInTheDocument();
  fireEvent.click(screen.getByRole("button", { name: "Take BULK5 away" }));
  expect(onEnter).toHaveBeenCalledWith("");
});
