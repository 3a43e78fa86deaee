import { screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { lookAgain } from "~/testing/look-again";
import { showPage } from "~/testing/show";
import { StepsScreen } from "./steps-screen";

const STEPS = "/v1/operations/activation-steps";

afterEach(() => vi.restoreAllMocks());

test("a look that fails is told above the steps, which stay", async () => {
  let answer = () =>
    Response.json({
      results: [{ step: "firmware", reached: 7, lost: 1, median_ms: 1000, p95_ms: 2000 }],
    });
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) =>
    new URL((asked as Request).url).pathname === STEPS
      ? answer()
      : new Promise<Response>(() => undefined),
  );
  await showPage(<StepsScreen filters={{}} />);
  const table = await screen.findByRole("table", { name: "Steps" });
  await within(table).findByText("7");
  answer = () => Response.json({ results: [] }, { status: 500 });
  lookAgain();
  expect(await screen.findByRole("button", { name: "Try again" })).toBeVisible();
  expect(within(table).getByText("7")).toBeVisible();
});
