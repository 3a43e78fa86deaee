import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { show } from "~/testing/show";
import { OtherWay } from "./other-way";

test("another way to pay takes the place of the button, and its focus", async () => {
  show(
    <OtherWay beside={<button type="button">Cancel</button>}>
      <fieldset aria-label="Payment method" />
    </OtherWay>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Pay in another way" }));
  expect(screen.getByRole("group", { name: "Payment method" })).toHaveFocus();
  expect(screen.queryByRole("button")).toBeNull();
});

test("why it is offered stays, and is read first", async () => {
  show(
    <OtherWay said={<p>Nobody answers.</p>}>
      <fieldset />
    </OtherWay>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Pay in another way" }));
  expect(screen.getByText("Nobody answers.")).toHaveFocus();
});
