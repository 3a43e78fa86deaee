import { useQuery, useQueryClient } from "@tanstack/react-query";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useEffect, useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { brandsQuery } from "~/shared/catalogue/lists";
import { hasUnsaved } from "~/shared/forms/unsaved";
import { live } from "~/shared/live/live";
import { aPlacement } from "~/testing/shop/a-placement";
import { anOrder } from "~/testing/shop/an-order";
import { show, showPage } from "~/testing/show";
import { orderQuery } from "../queries";
import { Cancel } from "./cancel";
import { Lines } from "./lines";
import { OrderAgain } from "./order-again";
import { ReorderOutcome } from "./reorder-outcome";
import { Shipments } from "./shipments";
import { Sums } from "./sums";
import { WhereIsIt } from "./where-is-it";

const AT = "2026-11-20T12:00:00Z";

beforeEach(() => {
  vi.spyOn(live, "follow").mockReturnValue(() => undefined);
});

afterEach(() => {
  vi.restoreAllMocks();
});

function answering(body: unknown) {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json(body));
}

test("a reason that was typed is not unsaved once the order is kept, and the focus is where it was", async () => {
  answering(aPlacement({ allowed: ["CANCEL"] }));
  show(<Cancel order={anOrder()} />);
  await userEvent.click(await screen.findByRole("button", { name: "Cancel this order" }));
  expect(screen.getByLabelText("Why? (optional)")).toHaveFocus();
  await userEvent.keyboard("Twice");
  expect(hasUnsaved()).toBe(true);
  await userEvent.click(screen.getByRole("button", { name: "Keep the order" }));
  expect(hasUnsaved()).toBe(false);
  expect(screen.getByRole("button", { name: "Cancel this order" })).toHaveFocus();
});

test("a cancel that the page's chart does not hold is not offered, and the page says that it is older", async () => {
  answering(aPlacement({ version: 99, allowed: ["CANCEL"] }));
  show(<Cancel order={anOrder()} />);
  expect(await screen.findByText(/This page is older than what it shows/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Cancel this order" })).toBeNull();
});

/** The page as far as the cancel goes: it holds the order by a query. */
function OfOrder() {
  const order = useQuery(orderQuery("1")).data;
  return order ? <Cancel order={order} /> : null;
}

test("an order that is given up says so with its reason, and is read anew", async () => {
  const asked: [string, unknown][] = [];
  const read: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const { url, method } = request as Request;
    const path = new URL(url).pathname;
    if (method === "POST") asked.push([path, await (request as Request).json()]);
    else if (asked.length > 0) read.push(path);
    if (path === "/v1/orders/1") return Response.json(anOrder());
    return Response.json(
      asked.length > 0
        ? aPlacement({ rev: 4, seq: 2, state: "compensating", allowed: [] })
        : aPlacement({ allowed: ["CANCEL"] }),
    );
  });
  show(<OfOrder />);
  await userEvent.click(await screen.findByRole("button", { name: "Cancel this order" }));
  await userEvent.keyboard(" Twice {Enter}");
  expect(await screen.findByText("The order is being cancelled.")).toBeVisible();
  expect(asked).toEqual([["/v1/placements/token-of-the-cart/cancel", { reason: "Twice" }]]);
  await vi.waitFor(() =>
    expect(read.sort()).toEqual(["/v1/orders/1", "/v1/placements/token-of-the-cart"]),
  );
});

/** A server that answers no cancel; the reason and key of each that was sent. */
function failing() {
  const asked: [unknown, string | null][] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const { method, headers } = request as Request;
    if (method === "GET") return Response.json(aPlacement({ allowed: ["CANCEL"] }));
    const { reason } = (await (request as Request).json()) as { reason: string };
    asked.push([reason, headers.get("Idempotency-Key")]);
    return Response.json({}, { status: 502 });
  });
  return asked;
}

test("another try of a cancel sends what stands in its field; the same words are the same command", async () => {
  const asked = failing();
  show(<Cancel order={anOrder()} />);
  await userEvent.click(await screen.findByRole("button", { name: "Cancel this order" }));
  await userEvent.keyboard("Twice{Enter}");
  await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  await userEvent.type(screen.getByLabelText("Why? (optional)"), " ordered");
  await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
  await vi.waitFor(() => expect(asked).toHaveLength(3));
  expect(asked.map(([reason]) => reason)).toEqual(["Twice", "Twice", "Twice ordered"]);
  const [first, second, third] = asked.map(([, key]) => key);
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

test("a cancel that came too late says why beside its button, and cannot be pressed again", async () => {
  let went = false;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    if ((request as Request).method === "GET")
      return Response.json(
        went
          ? aPlacement({ rev: 5, state: "capturing", allowed: [] })
          : aPlacement({ allowed: ["CANCEL"] }),
      );
    went = true;
    const flow = { kind: "placement", state: "capturing" };
    return Response.json({ code: "order_not_cancellable", status: 409, flow }, { status: 409 });
  });
  show(<Cancel order={anOrder()} />);
  await userEvent.click(await screen.findByRole("button", { name: "Cancel this order" }));
  await userEvent.keyboard("{Enter}");
  expect(await screen.findByRole("alert")).toHaveTextContent(
    "This order cannot be cancelled any more.",
  );
  await vi.waitFor(() =>
    expect(screen.getByRole("button", { name: "Cancel this order" })).toBeDisabled(),
  );
});

test("whoever orders again hears how many products are chosen, and adds none of none", async () => {
  const found = { sku: "SKU-1", quantity: "3", pieces: 3, merged_into: null, later: 0 };
  const row = { ...found, row: 1, verdict: "ready", pricing: null, name: "Thing" };
  answering({ rows: [row], ready: 1, merged: 0, refused: 0, pieces: 3, total: 30 });
  show(<OrderAgain order={anOrder()} onClose={() => undefined} onAdded={() => undefined} />);
  const add = () => screen.getByRole("button", { name: "Add to cart" });
  expect(add()).toBeDisabled();
  expect(await screen.findByText("1 product chosen")).toBeVisible();
  expect(add()).toBeEnabled();
  await userEvent.click(screen.getByRole("checkbox", { name: "Thing" }));
  expect(screen.getByText("No product is chosen.")).toBeVisible();
  expect(add()).toBeDisabled();
});

test("what is ordered again is chosen line by line, with its price then and now", async () => {
  const [line] = anOrder().lines;
  const lines = ["SKU-1", "SKU-2", "SKU-3"].map((sku) => ({ ...line, sku, name: `Thing ${sku}` }));
  const order = anOrder({ lines: lines as ReturnType<typeof anOrder>["lines"] });
  const verdicts = ["ready", "ready", "not_for_purchase"];
  const rows = verdicts.map((verdict, place) => ({
    row: place + 1,
    sku: `SKU-${place + 1}`,
    quantity: "3",
    verdict,
    pieces: 3,
    later: 0,
    merged_into: null,
    pricing: { priceRange: { start: { net: { amount: 12.5 } } } },
  }));
  const sent: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) => {
    const { url } = asked as Request;
    if (!url.includes("/reorder")) return Response.json({ rows });
    sent.push(new URL(url).searchParams.getAll("line").join());
    return Response.json({ rows, ready: 1, refused: 0 });
  });
  const onAdded = vi.fn();
  show(<OrderAgain order={order} onClose={() => undefined} onAdded={onAdded} />);
  expect(await screen.findByText("2 products chosen")).toBeVisible();
  const row = (name: string) => screen.getByRole("row", { name: new RegExp(name) });
  expect(row("SKU-1")).toHaveTextContent(/3\$10\.00\$12\.50$/);
  expect(row("SKU-3")).toHaveTextContent(/3\$10\.00Not available for purchase$/);
  expect(within(row("SKU-3")).getByRole("checkbox")).toBeDisabled();
  await userEvent.click(screen.getByRole("checkbox", { name: "Thing SKU-1" }));
  await userEvent.click(screen.getByRole("button", { name: "Add to cart" }));
  await vi.waitFor(() => expect(onAdded).toHaveBeenCalledOnce());
  expect(sent).toEqual(["2"]);
});

test("the step that is under way is marked, and what it waits for is said", () => {
  show(<WhereIsIt order={anOrder()} />);
  const present = screen
    .getAllByRole("listitem")
    .find((step) => step.getAttribute("aria-current") === "step");
  expect(present?.textContent).toBe("Handed over");
  expect(screen.getByText(/Until then it can be cancelled/)).toBeDefined();
});

test("a cancelled order says why", () => {
  const history = [{ kind: "cancelled" as const, at: AT, note: "Ordered twice" }];
  show(<WhereIsIt order={anOrder({ status: "cancelled", waitsFor: null, history })} />);
  expect(screen.getByText("This order was cancelled: Ordered twice")).toBeDefined();
});

test("a line says when what is on backorder is expected", async () => {
  const order = anOrder();
  const lines = order.lines.map((l) => ({ ...l, expectedOn: "2026-12-12" }));
  await showPage(<Lines order={{ ...order, lines }} />);
  expect(await screen.findByText("Expected Dec 12, 2026")).toBeVisible();
});

test.each([
  [0, "1 on backorder"],
  [2, "2 shipped, 1 to come"],
  [3, "Shipped"],
])("a line of which %i pieces have left says so", async (shipped, words) => {
  const order = anOrder({ status: "confirmed" });
  await showPage(
    <Lines
      order={{
        ...order,
        lines: order.lines.map((l) => ({ ...l, shipped, following: l.quantity - shipped })),
      }}
    />,
  );
  expect(screen.getByText(words)).toBeDefined();
});

test.each([
  [2, 0, ["2 shipped", "1 piece will not be sent"]],
  [1, 1, ["1 shipped, 1 to come", "1 piece will not be sent"]],
  [0, 2, ["1 on backorder", "1 piece will not be sent"]],
  [0, 0, ["3 pieces will not be sent"]],
])(
  "a line of which %i pieces have left and %i will waits for no other",
  async (shipped, following, words) => {
    const order = anOrder({ status: "part_shipped" });
    const lines = order.lines.map((l) => ({ ...l, shipped, following }));
    await showPage(<Lines order={{ ...order, lines }} />);
    for (const word of words) expect(screen.getByText(word)).toBeVisible();
    if (following === 0) expect(screen.queryByText(/to come|backorder|Not shipped yet/)).toBeNull();
  },
);

test.each([
  ["Purolator", "PUR1", "Purolator, tracking number PUR1"],
  ["Purolator", "", "Purolator"],
  ["", "PUR1", "Tracking number PUR1"],
  ["", "", "Shipment SH-1"],
])(
  "a shipment by %j with the number %j says so, and leads to its invoice",
  async (carrier, trackingNumber, words) => {
    const parcels = [{ sku: "SKU-1", quantity: 2 }];
    const sent = { number: "SH-1", carrier, trackingNumber, shippedAt: AT, parcels };
    const billed = { ...sent, invoiceNumber: "INV-1" };
    const waiting = { ...sent, number: "SH-2", invoiceNumber: null };
    await showPage(<Shipments order={anOrder({ shipments: [billed, waiting] })} />);
    const [first, second] = screen.getAllByRole("listitem");
    if (!first || !second) throw new Error("two shipments");
    expect(within(first).getByText(words)).toBeVisible();
    expect(within(first).getByText("2 × SKU-1")).toBeVisible();
    const invoice = within(first).getByRole("link", { name: "INV-1" });
    expect(invoice.getAttribute("href")).toBe("/invoice/INV-1");
    expect(within(second).queryByRole("link")).toBeNull();
  },
);

test("what will not be sent stands among the shipments with its reason", async () => {
  const parcels = [{ sku: "SKU-1", quantity: 1 }];
  const withdrawn = { number: "W1", reason: "Discontinued", withdrawnAt: AT, parcels, amount: 10 };
  await showPage(<Shipments order={anOrder({ withdrawals: [withdrawn] })} />);
  const shipments = screen.getByRole("region", { name: "Shipments" });
  for (const word of ["A part will not be sent", "1 × SKU-1", "Discontinued"])
    expect(within(shipments).getByText(word)).toBeVisible();
});

test("each line that was not added again has its reason", async () => {
  const row = { row: 1, sku: "SKU-1", quantity: "1", pieces: 1, merged_into: null, later: 0 };
  const rest = { is_alias: false, found_sku: null, product_id: null, name: null, total: null };
  const none = { case_quantity: null, pricing: null };
  await showPage(
    <ReorderOutcome
      added={{
        rows: [{ ...row, ...rest, ...none, verdict: "unknown" }],
        ready: 0,
        merged: 0,
        refused: 1,
        pieces: 0,
        total: 0,
        token: "token",
        quantity: 0,
      }}
    />,
  );
  expect(screen.getByText("Nothing could be added.")).toBeDefined();
  expect(screen.getByText("SKU-1: No product has this SKU")).toBeDefined();
});

/** How many parts of the page follow the brands. */
function Followers() {
  const cache = useQueryClient();
  const [count, setCount] = useState<number>();
  useEffect(() => {
    setCount(cache.getQueryCache().find({ queryKey: brandsQuery.queryKey })?.getObserversCount());
  }, [cache]);
  return <output>{count}</output>;
}

test("the lines of an order follow the brands together, and not each", async () => {
  const order = anOrder();
  const lines = [1, 2, 3].flatMap(() => order.lines);
  await showPage(
    <>
      <Lines order={{ ...order, lines }} />
      <Followers />
    </>,
  );
  expect(screen.getByRole("status")).toHaveTextContent(/^1$/);
});

test("the taxes of an order are told as demo rates", async () => {
  await showPage(<Sums order={anOrder()} />);
  expect(screen.getByText(/Taxes by demo rates/)).toBeVisible();
});
