import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { showPage } from "~/testing/show";
import { NotSettled } from "./effects";

const UNLOCK = {
  key: "run-1:unlock:3",
  run: "run-1",
  effect: "command:unlock",
  asked_at: "2026-01-05T12:00:00Z",
};

test("an effect is closed by whoever says what was seen, and not without a word", async () => {
  await showPage(<NotSettled effects={[UNLOCK]} />);
  await userEvent.click(
    screen.getByRole("button", { name: "Close by hand: command:unlock of run-1" }),
  );
  const seen = screen.getByRole("textbox", { name: /What you saw, and where/ });
  expect(seen).toHaveFocus();
  await userEvent.type(seen, " ");
  for (const name of ["It happened", "It did not happen"]) {
    await userEvent.click(screen.getByRole("button", { name }));
    expect(seen).toHaveAccessibleDescription("Required field");
    expect(seen).toHaveFocus();
  }
  await userEvent.type(seen, "Its log");
  expect(seen).toHaveAccessibleDescription("");
});
