import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { show } from "~/testing/show";
import { Folded } from "./folded";

const CHOICE = <input type="radio" aria-label="Ground" defaultChecked />;

test("what is decided is one line, and Change opens it with the focus in the choice", async () => {
  show(
    <Folded title="Shipping" decided="Ground">
      {CHOICE}
    </Folded>,
  );
  expect(screen.queryByRole("radio")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Change: Shipping" }));
  expect(screen.getByRole("radio", { name: "Ground" })).toHaveFocus();
});

test("what is not decided stands open", () => {
  show(
    <Folded title="Shipping" decided={undefined}>
      {CHOICE}
    </Folded>,
  );
  expect(screen.getByRole("radio", { name: "Ground" })).toBeVisible();
  expect(screen.queryByRole("button")).toBeNull();
});

test("a choice that is made does not fold what was open, and keeps the focus", async () => {
  const part = (decided?: string) => (
    <Folded title="Shipping" decided={decided}>
      {CHOICE}
    </Folded>
  );
  const { rerender } = show(part());
  screen.getByRole("radio", { name: "Ground" }).focus();
  rerender(part("Ground"));
  expect(screen.getByRole("radio", { name: "Ground" })).toHaveFocus();
});
