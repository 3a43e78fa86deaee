import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { aRunOnScreen } from "~/testing/runs/a-run-on-screen";
import { aLaterActivation } from "~/testing/runs/an-activation";
import { show } from "~/testing/show";
import { CompleteActivation } from "./complete-activation";

test.each([
  ["new-device", /Completing activates the device and marks it as installed\.$/],
  ["purchase-subscription", /Completing leaves the device as it is\.$/],
] as const)("the last step of %s tells what completing does", (type, words) => {
  const { run } = aRunOnScreen(aLaterActivation("complete-activation", { view: { type } }));
  show(<CompleteActivation run={run} />);
  expect(screen.getByText(words)).toBeVisible();
});
