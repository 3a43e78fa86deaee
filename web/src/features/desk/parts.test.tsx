import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { show, showPage } from "~/testing/show";
import { Businesses, Orders } from "./parts";

const business = {
  code: "N1001",
  company_name: "Harbour Car Audio",
  town: "Halifax",
  balance: null,
  past_due_invoices: null,
  last_order_at: null,
};

function Recent() {
  const [present, setPresent] = useState<string>();
  return (
    <Businesses
      recent={[business]}
      present={present}
      busy={false}
      onChoose={setPresent}
      onSelect={() => undefined}
    />
  );
}

test("whoever chooses a business has the focus still where they chose it", async () => {
  show(<Recent />);
  await userEvent.click(screen.getByRole("button", { name: "Work for Harbour Car Audio" }));
  const chosen = screen.getByRole("button", { name: "Selected" });
  expect(chosen).toHaveFocus();
  expect(chosen).toHaveAttribute("aria-disabled", "true");
});

test("whoever worked for nobody yet has one thing to do, and whoever ordered nothing too", async () => {
  const onSelect = vi.fn();
  const nothing = { count: 0, results: [] };
  await showPage(
    <>
      <Businesses
        recent={[]}
        present={undefined}
        busy={false}
        onChoose={vi.fn()}
        onSelect={onSelect}
      />
      <Orders orders={nothing} />
    </>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Select a business" }));
  expect(onSelect).toHaveBeenCalledOnce();
  expect(screen.queryByRole("button", { name: "All businesses" })).toBeNull();
  expect(screen.getByRole("link", { name: "Find products" })).toHaveAttribute("href", "/search");
});
