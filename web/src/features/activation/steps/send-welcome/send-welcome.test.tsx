import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { aRunOnScreen } from "~/testing/runs/a-run-on-screen";
import { aLaterActivation } from "~/testing/runs/an-activation";
import { show } from "~/testing/show";
import { SendWelcome } from "./send-welcome";

test.each([
  ["owner@example.com", undefined],
  [" owner@example.com ", undefined],
  ["owner@example", "Email invalid"],
  ["owner@example.com.com", "Email invalid"],
  [".owner@example.com", "Email invalid"],
  ["owner@exam_ple.com", "Email invalid"],
  [" ", "Required field"],
])("e-mail %j is sent unless it is wrong: %s", async (email, fault) => {
  localStorage.clear();
  const { run, asked } = aRunOnScreen(aLaterActivation("send-welcome"));
  show(<SendWelcome run={run} />);
  const field = screen.getByRole("textbox", { name: "Email of the vehicle's owner" });
  await userEvent.clear(field);
  await userEvent.type(field, email);
  await userEvent.keyboard("{Enter}");
  if (fault === undefined)
    expect(asked).toEqual([{ type: "SUBMIT", data: { email: "owner@example.com" } }]);
  else {
    expect(await screen.findByText(fault)).toBeVisible();
    expect(asked).toEqual([]);
  }
});
