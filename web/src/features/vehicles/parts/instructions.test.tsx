import { screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { lookAgain } from "~/testing/look-again";
import { show } from "~/testing/show";
import { aServer } from "~/testing/some-wiring";
import { Instructions } from "./instructions";

afterEach(() => vi.unstubAllGlobals());

test("a look that fails is told above the steps, which stay", async () => {
  const answers: Record<string, unknown> = {
    "instructions-by-category": [{ position: 1, text: "Test the hood pin", image: null }],
  };
  aServer(answers);
  show(
    <Instructions vehicleId={7} categories={[{ uuid: "i1", title: "Preparation", count: 1 }]} />,
  );
  await screen.findByText("Test the hood pin");
  answers["instructions-by-category"] = new Error("away");
  lookAgain();
  expect(await screen.findByRole("button", { name: "Try again" })).toBeVisible();
  expect(screen.getByText("Test the hood pin")).toBeVisible();
  for (const told of ["Test the hood pin", "Preparation"])
    expect(screen.getByText(told)).toHaveAttribute("lang", "en");
});
