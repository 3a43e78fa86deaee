import { screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { begin } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { showPage } from "~/testing/show";
import type { WaitingOrder } from "./queries";
import { WaitingOrders } from "./waiting-orders";

const waiting = (place: number): WaitingOrder => ({
  kind: "placement",
  token: `t${place}`,
  partner_name: "Prairie Remote Start",
  requester_id: "u2",
  requester: "Robin Test",
  reason: "",
  total: 30,
  currency: "USD",
  lines: 1,
  po_number: null,
  asked_at: "2026-11-20T12:00:00Z",
  until: "2026-11-27T12:00:00Z",
  state: "waiting_for_approval",
  mine: false,
});
const names = () => screen.queryAllByRole("link", { name: "Robin Test" });

afterEach(() => vi.restoreAllMocks());

test("what came with the start page is not taken for the whole list", async () => {
  vi.spyOn(globalThis, "fetch").mockReturnValue(new Promise(() => undefined));
  begin(aPerson({ purchasing_rights: true }), "token");
  await showPage(
    <>
      <WaitingOrders quiet first={[waiting(1)]} />
      <WaitingOrders />
    </>,
  );
  expect(names()).toHaveLength(1);
});

test("the start page shows the first five, and the way to all", async () => {
  const results = [1, 2, 3, 4, 5, 6].map(waiting);
  vi.spyOn(globalThis, "fetch").mockResolvedValue(Response.json({ results }));
  begin(aPerson({ purchasing_rights: true }), "token");
  await showPage(<WaitingOrders quiet first={[waiting(1)]} />);
  await vi.waitFor(() => expect(names()).toHaveLength(5));
  expect(screen.getByRole("link", { name: "All approvals" })).toHaveAttribute("href", "/approvals");
});
