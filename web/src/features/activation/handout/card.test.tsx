import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { aHandout } from "~/testing/runs/a-handout";
import { show } from "~/testing/show";
import { HandoutCard } from "./card";

test("a plan that is suspended promises nothing of the app", () => {
  const { plan } = aHandout();
  show(<HandoutCard handout={aHandout({ plan: plan && { ...plan, is_suspended: true } })} />);
  expect(screen.getByText(/The plan is suspended/)).toBeVisible();
  expect(screen.queryByText(/The plan is live/)).toBeNull();
});

test("a live plan is called so", () => {
  show(<HandoutCard handout={aHandout()} />);
  expect(screen.getByText(/The plan is live/)).toBeVisible();
});
