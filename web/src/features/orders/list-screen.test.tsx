import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { amend, begin, end } from "~/shared/session/session";
import { aPerson, aWork } from "~/testing/a-person";
import { anOrder } from "~/testing/shop/an-order";
import { showPage } from "~/testing/show";
import { ordersAddress } from "./address";
import { OrdersScreen } from "./list-screen";

afterEach(() => {
  end();
  vi.restoreAllMocks();
});

test.each([
  { status: 503, stays: true },
  { status: 403, stays: false },
])("orders that are shown stay through a later $status: $stays", async ({ status, stays }) => {
  begin(aPerson({ purchasing_rights: true }), "t");
  const fetched = vi.spyOn(globalThis, "fetch");
  fetched.mockImplementation(async (request) =>
    new URL((request as Request).url).pathname.endsWith("/order-transactions")
      ? Response.json({ results: [anOrder()], count: 1, counts: {} })
      : new Response(null, { status: 404 }),
  );
  await showPage(<OrdersScreen address={ordersAddress({})} />);
  const row = await screen.findByRole("row", { name: /T-100001/ });
  fetched.mockImplementation(async () => Response.json({ code: "unavailable" }, { status }));
  window.dispatchEvent(new Event("visibilitychange"));
  expect(await screen.findByRole("alert")).toBeVisible();
  await waitFor(() => (stays ? expect(row).toBeVisible() : expect(row).not.toBeInTheDocument()));
});

test("whoever has chosen as many orders as a file takes is told so", async () => {
  begin(aPerson({ purchasing_rights: true }), "t");
  const results = Array.from({ length: 101 }, (_, at) =>
    anOrder({ id: `order-${at}`, number: `T-${at}` }),
  );
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) =>
    new URL((request as Request).url).pathname.endsWith("/order-transactions")
      ? Response.json({ results, count: 101, counts: {} })
      : new Response(null, { status: 404 }),
  );
  await showPage(<OrdersScreen address={ordersAddress({})} />);
  await screen.findByText("T-100");
  const boxes = [...document.querySelectorAll("input[type=checkbox]")];
  for (const box of boxes.slice(0, 99)) fireEvent.click(box);
  expect(screen.getByText("99 orders chosen")).toBeVisible();
  for (const box of boxes.slice(99)) fireEvent.click(box);
  expect(screen.getByText("100 orders chosen · At most 100 orders at once")).toBeVisible();
  expect(boxes[100]).not.toBeChecked();
});

test("what is chosen for one business is not chosen for another", async () => {
  begin(aPerson({ purchasing_rights: true }), "t");
  amend({ work: aWork(true) });
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) =>
    new URL((request as Request).url).pathname.endsWith("/order-transactions")
      ? Response.json({ results: [anOrder()], count: 1, counts: {} })
      : new Response(null, { status: 404 }),
  );
  await showPage(<OrdersScreen address={ordersAddress({})} />);
  fireEvent.click(await screen.findByRole("checkbox", { name: "Choose T-100001" }));
  expect(screen.getByText("1 order chosen")).toBeVisible();
  const { business, ...work } = aWork(true);
  act(() => amend({ work: { ...work, business: business && { ...business, code: "N2000" } } }));
  expect(await screen.findByRole("checkbox", { name: "Choose T-100001" })).not.toBeChecked();
  expect(screen.queryByText("1 order chosen")).toBeNull();
});
