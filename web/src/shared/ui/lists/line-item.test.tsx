import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { show } from "~/testing/show";
import { LineItem, LineItems } from "./line-item";

test("a line reads from what it is to what it costs, without what it does not have", () => {
  show(
    <LineItems aria-label="Products">
      <LineItem name="Remote start" code="FX-SS-0239" count="2 × $5.00" amount="$10.00">
        In stock
      </LineItem>
      <LineItem name="Belt clip" action={<button type="button">Remove</button>} />
    </LineItems>,
  );
  const [full, bare] = screen.getAllByRole("listitem");
  expect(screen.getByRole("list", { name: "Products" })).toBeVisible();
  expect(full).toHaveTextContent("Remote startFX-SS-0239In stock2 × $5.00$10.00");
  expect(bare).toHaveTextContent(/^Belt clipRemove$/);
});
