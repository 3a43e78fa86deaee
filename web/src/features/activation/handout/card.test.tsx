import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { show } from "~/testing/show";
import { HandoutCard } from "./card";
import type { Handout } from "./queries";

const HANDOUT: Handout = {
  business: "Harbour Car Audio",
  completed_at: "2026-11-21T12:00:00Z",
  vehicle: null,
  device_key: "FT-X1-00000042",
  product_name: "ft-x1",
  versions: [],
  connected: true,
  tests: [],
  plan: {
    name: "Basic Prepaid",
    term: "1_year",
    ends_at: "2027-11-21T12:00:00Z",
    is_suspended: false,
  },
  has_plan: true,
  can_do: [],
};

test("a plan that is suspended promises nothing of the app", () => {
  const { plan } = HANDOUT;
  show(<HandoutCard handout={{ ...HANDOUT, plan: plan && { ...plan, is_suspended: true } }} />);
  expect(screen.getByText(/The plan is suspended/)).toBeVisible();
  expect(screen.queryByText(/The plan is live/)).toBeNull();
});

test("a live plan is called so", () => {
  show(<HandoutCard handout={HANDOUT} />);
  expect(screen.getByText(/The plan is live/)).toBeVisible();
});
