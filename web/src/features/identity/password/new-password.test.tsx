import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { refusing } from "~/testing/refusing";
import { showPage } from "~/testing/show";
import { ForgotPasswordScreen } from "./forgot-password";
import { SetPasswordScreen } from "./set-password";

const TYPED = "Garage-Lantern-26";

afterEach(() => {
  vi.restoreAllMocks();
});

async function typePassword() {
  await userEvent.type(await screen.findByLabelText("New password"), TYPED);
  await userEvent.type(screen.getByLabelText("New password again"), TYPED);
}

test.each([
  ["common", "This is one of the passwords that are guessed first."],
  ["walk", "These keys lie next to each other on the keyboard."],
  ["own_name", "It is your own name or address."],
  ["own_domain", "It is the domain of your email address."],
])("a first password is refused with its reason: %s", async (reason, why) => {
  refusing("/v1/user/set-password", { code: "password_invalid", field: "password", reason });
  await showPage(<SetPasswordScreen token="t" />);
  await typePassword();
  await userEvent.click(screen.getByRole("button", { name: "Set the password" }));
  const field = screen.getByLabelText("New password");
  await vi.waitFor(() => expect(field).toBeInvalid());
  expect(field).toHaveAccessibleDescription(new RegExp(`Password invalid. ${why}`));
  await userEvent.type(field, "!");
  expect(field).not.toHaveAccessibleDescription(/Password invalid/);
});

test("a reset is refused with its reason", async () => {
  refusing("/v1/auth/reset-password", {
    code: "password_invalid",
    field: "password",
    reason: "same",
  });
  await showPage(<ForgotPasswordScreen />);
  await userEvent.type(await screen.findByLabelText("Email"), "ivan@turnkey.example");
  await userEvent.click(screen.getByRole("button", { name: "Send the code" }));
  await userEvent.type(await screen.findByLabelText("Verification code"), "123456");
  await typePassword();
  await userEvent.click(screen.getByRole("button", { name: "Change the password" }));
  const field = screen.getByLabelText("New password");
  await vi.waitFor(() =>
    expect(field).toHaveAccessibleDescription(/Password invalid. This is the password you have/),
  );
});
