import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { lookAgain } from "~/testing/look-again";
import { show } from "~/testing/show";
import type { Installer } from "../queries";
import { PurchaseLimits } from "./limits";

const NOOR = { id: "noor", first_name: "Noor", last_name: "Haddad" } as Installer;

afterEach(() => vi.restoreAllMocks());

test("a limit that is being typed stays through a look that fails, which is told above it", async () => {
  const limits = { per_order: null, per_month: null, approval_above: null };
  vi.spyOn(globalThis, "fetch").mockResolvedValueOnce(Response.json(limits));
  show(<PurchaseLimits one={NOOR} />);
  const [first] = await screen.findAllByRole("textbox");
  if (!first) throw new Error("no field");
  await userEvent.type(first, "150");
  vi.mocked(fetch).mockImplementation(async () => Response.json({}, { status: 500 }));
  lookAgain();
  expect(await screen.findByRole("button", { name: "Try again" })).toBeVisible();
  expect(first).toBeVisible();
  expect(first).toHaveValue("150");
});

test("a limit may be nothing at all or none, and no amount is refused before it is sent", async () => {
  const sent: unknown[] = [];
  const limits = { per_order: 1500, per_month: 99.5, approval_above: null };
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    if ((request as Request).method === "GET") return Response.json(limits);
    sent.push(await (request as Request).clone().json());
    return Response.json({ ...limits, per_order: 0, per_month: null });
  });
  show(<PurchaseLimits one={NOOR} />);
  const [order, month] = await screen.findAllByRole("textbox");
  if (!order || !month) throw new Error("no fields");
  const save = screen.getByRole("button", { name: "Save limits: Noor Haddad" });
  await userEvent.clear(order);
  await userEvent.type(order, "1.2.3");
  await userEvent.click(save);
  expect(order).toHaveAccessibleDescription("An amount like 1500 or 99.50");
  await userEvent.clear(order);
  await userEvent.type(order, "0");
  await userEvent.clear(month);
  await userEvent.click(save);
  await waitFor(() =>
    expect(sent).toEqual([{ per_order: 0, per_month: null, approval_above: null }]),
  );
});
