import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { aPrice } from "~/testing/shop/a-product";
import { show } from "~/testing/show";
import { Price } from "./price";

const winter = { kind: "deal", listName: "Winter deals" } as const;

test("the button of a price keeps the focus and its place while the reason comes, and Escape closes it", async () => {
  show(<Price pricing={aPrice(60, winter)} of="R285" />);
  const button = screen.getByRole("button", { name: "Why this price: R285" });
  await userEvent.click(button);
  expect(await screen.findByText(/Winter deals/)).toBeInTheDocument();
  expect(button).toHaveFocus();
  expect(button).toHaveAttribute("aria-controls", screen.getByRole("dialog", { hidden: true }).id);
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByText(/Winter deals/)).toBeNull();
  expect(button).toHaveFocus();
});
