import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { refusing } from "~/testing/refusing";
import { showPage } from "~/testing/show";
import { Password } from "./password";

const OLD = "Garage-Lantern-26";

afterEach(() => {
  vi.restoreAllMocks();
});

test("a changed password is refused with its reason at its own field", async () => {
  const refused = { code: "password_invalid", field: "new_password", reason: "same" };
  refusing("/api/change-password", refused);
  await showPage(<Password locked={false} />);
  await userEvent.type(await screen.findByLabelText("Present password"), OLD);
  await userEvent.type(screen.getByLabelText("New password"), OLD);
  await userEvent.type(screen.getByLabelText("New password again"), OLD);
  await userEvent.click(screen.getByRole("button", { name: "Change the password" }));
  const field = screen.getByLabelText("New password");
  await vi.waitFor(() => expect(field).toBeInvalid());
  expect(field).toHaveAccessibleDescription(/Password invalid. This is the password you have/);
  expect(screen.getByLabelText("Present password")).toBeValid();
});
