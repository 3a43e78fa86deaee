import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { begin, end } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { anOrder } from "~/testing/an-order";
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
