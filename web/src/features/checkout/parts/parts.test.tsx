import { fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { FlowMap } from "~/shared/flow/map/flow-map";
import { asItStands } from "~/shared/flow/use-flow";
import { PLACEMENT, PLACEMENT_STAGES } from "~/shared/placements/flow";
import { A_CASE } from "~/testing/runs/a-case";
import { aFlowOnScreen } from "~/testing/runs/a-flow-on-screen";
import { aCart, aLine } from "~/testing/shop/a-cart";
import { aPlacement, aQuote } from "~/testing/shop/a-placement";
import { show } from "~/testing/show";
import { FitWarning } from "../form/fit-warning";
import { Cancel } from "../run/run";
import type { PlacementRun } from "../use-placement";
import { Changed } from "./changed";
import { LastTime } from "./last-time";
import { Lines } from "./lines";
import { Sums } from "./sums";

test("who is asked whether to cancel has the focus at the question, and back at the button", async () => {
  const { run } = aFlowOnScreen(aPlacement(), PLACEMENT);
  show(<Cancel run={run as PlacementRun} />);
  const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));
  await press("Cancel this order");
  expect(screen.getByText(/Cancel the order\?/)).toHaveFocus();
  await press("No, go on");
  expect(screen.getByRole("button", { name: "Cancel this order" })).toHaveFocus();
});

test("what was warned of gives the focus to the heading of its part", async () => {
  const wrong = { ...aLine(), fit: { verdict: "does_not_fit" }, vehicle: { name: "Civic" } };
  show(
    <section>
      <h2>Place the order</h2>
      <FitWarning cart={{ ...aCart(), lines: [wrong] } as never} />
    </section>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Order all the same" }));
  expect(screen.getByRole("heading", { name: "Place the order" })).toHaveFocus();
});

test("changes are told with what was before, and need a yes", () => {
  const onAgree = vi.fn();
  const change = { name: "FTX", sku: "F-1", price: { before: 10, after: 11 } };
  show(
    <Changed changes={{ lines: [change], total: { before: 20, after: 22 } }} onAgree={onAgree} />,
  );
  expect(screen.getByText("$11.00 instead of $10.00 a piece")).toBeDefined();
  expect(screen.getByText("$22.00 instead of $20.00")).toBeDefined();
  fireEvent.click(screen.getByRole("button", { name: "Yes, order it like this" }));
  expect(onAgree).toHaveBeenCalledOnce();
});

test("a long order shows its first articles, and all on demand", async () => {
  const [line] = aQuote().lines;
  if (!line) throw new Error("no line");
  const many = Array.from({ length: 20 }, (_, at) => ({ ...line, variant_id: `v${at}` }));
  show(<Lines lines={many} />);
  expect(screen.getAllByRole("listitem")).toHaveLength(8);
  const button = screen.getByRole("button", { name: "Show all 20 products" });
  button.focus();
  fireEvent.click(button);
  const rows = screen.getAllByRole("listitem");
  expect(rows).toHaveLength(20);
  await waitFor(() => expect(rows[8]).toHaveFocus());
});

test("the sums name the method, the taxes and what is saved", () => {
  show(<Sums of={aQuote()} method="Ground" />);
  for (const text of ["Shipping: Ground", "HST 14%", "$50.73", /You save \$6.00/])
    expect(screen.getByText(text)).toBeDefined();
});

test("the step of the present state is marked", () => {
  const answer = aPlacement({ state: "payment_failed" });
  show(<FlowMap flow={asItStands(answer, PLACEMENT)} stages={PLACEMENT_STAGES} label="Way" />);
  expect(screen.getByRole("listitem", { current: "step" }).textContent).toContain("Payment");
});

test("an order that is taken back stays where it left the way", () => {
  const moved = { rev: 3, event: "REFUSED", from_state: "handing_over", to_state: "compensating" };
  const answer = aPlacement({ state: "compensating", moved });
  show(<FlowMap flow={asItStands(answer, PLACEMENT)} stages={PLACEMENT_STAGES} label="Way" />);
  const [check, , order] = screen.getAllByRole("listitem");
  expect(check).toHaveTextContent("(done)");
  expect(order).toHaveTextContent("(not reached)");
  expect(screen.queryByRole("listitem", { current: "step" })).toBeNull();
});

test("an order that came to nothing says why, and what happened to its money", async () => {
  const asked = vi
    .spyOn(globalThis, "fetch")
    .mockImplementation(async () => Response.json({ results: [{ ...A_CASE, cause: "let_go" }] }));
  show(
    <LastTime
      last={aPlacement({
        state: "expired",
        ended: true,
        view: { error: { code: "PAYMENT_ERROR", detail: "Your card was declined." } },
      })}
    />,
  );
  expect(screen.getByRole("status").textContent).toBe(
    "The order was not paid in time. Your card was declined.",
  );
  const money = await screen.findByRole("region", { name: "Your money" });
  expect(money).toHaveTextContent("Being taken care of");
  const request = asked.mock.lastCall?.[0] as Request;
  expect(new URL(request.url).pathname).toBe("/v1/placements/cart-of-a-test-0001/cases");
  asked.mockRestore();
});
