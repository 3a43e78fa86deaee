import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { lookAgain } from "~/testing/look-again";
import { show } from "~/testing/show";
import { PurchaseLimits } from "./limits";
import type { Installer } from "./queries";

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
