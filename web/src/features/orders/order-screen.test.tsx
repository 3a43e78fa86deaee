import { screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { live } from "~/shared/live/live";
import { begin, end } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { A_CASE } from "~/testing/runs/a-case";
import { anOrder } from "~/testing/shop/an-order";
import { showPage } from "~/testing/show";
import { OrderScreen } from "./order-screen";

afterEach(() => {
  end();
  vi.restoreAllMocks();
});

test("an order says what happened to its money after it was placed", async () => {
  begin(aPerson({ purchasing_rights: true }), "t");
  vi.spyOn(live, "follow").mockReturnValue(() => undefined);
  const asked: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const { pathname, search } = new URL((request as Request).url);
    if (pathname === "/v1/orders/1") return Response.json(anOrder({ status: "cancelled" }));
    if (!pathname.endsWith("/cases")) return new Response(null, { status: 404 });
    asked.push(`${pathname}${search}`);
    return Response.json({ results: [A_CASE] });
  });
  await showPage(<OrderScreen id="1" />);
  expect(await screen.findByText("The order was cancelled by the warehouse")).toBeVisible();
  expect(screen.getByText(/What you paid is being paid back/)).toBeVisible();
  expect(asked.join()).toMatch(/order.*1/);
});
