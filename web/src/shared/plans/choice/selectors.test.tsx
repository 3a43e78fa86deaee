import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { aPlan } from "~/testing/shop/a-plan";
import { show } from "~/testing/show";
import { offerOf } from "../types";
import { PlanTermSelector } from "./plan-term-selector";
import { PlanTypeSelector } from "./plan-type-selector";

const BASIC = aPlan({ slug: "basic_prepaid", display_name: "Basic", popular: false });
const PREMIUM = aPlan();

test("a plan says what it costs for the term that is shown, and which one the device has", async () => {
  const asked: string[] = [];
  show(
    <PlanTypeSelector
      switched
      plans={[BASIC, PREMIUM]}
      value={undefined}
      present="basic_prepaid"
      onChange={(slug, planId) => asked.push(slug, planId ?? "")}
    />,
  );
  expect(
    screen.getByRole("radio", { name: /^Basic.*\$76\.42 a year\$6\.37 a month.*Present plan/ }),
  ).toBeVisible();
  const popular = screen.getByRole("radio", { name: /^Premium.*Most popular/ });
  expect(popular.closest("[data-raised]")).toHaveTextContent(/^Premium/);
  expect(screen.getByRole("radio", { name: /^Basic/ }).closest("[data-raised]")).toBeNull();
  await userEvent.click(popular);
  expect(asked).toEqual(["premium_prepaid", "premium_prepaid-1_year"]);
  await userEvent.click(screen.getByRole("radio", { name: /^Month to month/ }));
  expect(screen.getByRole("radio", { name: /^Basic.*\$7\.49 a month/ })).toBeVisible();
});

test("a term is chosen by the keyboard alone", async () => {
  const asked: string[] = [];
  show(
    <PlanTermSelector
      plan={PREMIUM}
      value="premium_prepaid-month_to_month"
      onChange={(id) => asked.push(id)}
    />,
  );
  await userEvent.tab();
  expect(screen.getByRole("radio", { name: /^Month to month.*\$7\.49/ })).toHaveFocus();
  await userEvent.keyboard("{ArrowDown}");
  expect(asked).toEqual(["premium_prepaid-1_year"]);
});

test("what a device may have is offered as what everybody may have", () => {
  const { slug, name, rank, terms, ...words } = PREMIUM;
  const plans = terms.map((term) => ({
    ...term,
    name,
    image: words.image,
    change: "renewal" as const,
  }));
  expect(offerOf({ type: slug, name, ...words, plans })).toMatchObject({
    slug: "premium_prepaid",
    display_name: "Premium",
    terms: [{ id: "premium_prepaid-month_to_month", change: "renewal" }, { amount: 76.42 }],
  });
  expect(rank).toBe(2);
});
