import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { begin, end } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { aPlan } from "~/testing/shop/a-plan";
import { showPage } from "~/testing/show";
import { PlanPictures } from "./plan-pictures";

const BASIC = aPlan({ slug: "basic_prepaid", display_name: "Basic", popular: false });

afterEach(() => act(() => end()));

test("each card has its price, one switch of the term turns all of them, and one of them is raised", async () => {
  begin(aPerson({ purchasing_rights: true }), "t");
  await showPage(<PlanPictures plans={[BASIC, aPlan()]} />);
  const cards = screen.getAllByRole("listitem");
  for (const card of cards) expect(card).toHaveTextContent("$76.42 a year$6.37 a month");
  expect(cards.map((card) => card.hasAttribute("data-raised"))).toEqual([false, true]);
  expect(cards.map((card) => within(card).queryByText("Most popular") !== null)).toEqual([
    false,
    true,
  ]);
  const terms = screen.getByRole("group", { name: "Show prices for" });
  expect(within(terms).getByRole("radio", { name: /^1 year.*save 14%$/ })).toBeChecked();
  await userEvent.click(within(terms).getByRole("radio", { name: "Month to month" }));
  for (const card of cards) expect(card).toHaveTextContent("$7.49 a month");
  expect(screen.getByRole("link", { name: "Choose Premium" })).toHaveAttribute(
    "href",
    "/subscriptions/plans?type=premium_prepaid&plan=premium_prepaid-month_to_month",
  );
});
