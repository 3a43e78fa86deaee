import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { refusing } from "~/testing/refusing";
import { showPage } from "~/testing/show";
import { Password } from "./password";

const OLD = "Garage-Lantern-26";

afterEach(() => {
  vi.restoreAllMocks();
});

test("a password that was changed looks so, however long one waits", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => new Response(null, { status: 204 }));
  await showPage(<Password locked={false} />);
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  const fields = ["Present password", "New password", "New password again"];
  for (const name of fields) await user.type(await screen.findByLabelText(name), OLD);
  await user.click(screen.getByRole("button", { name: "Change the password" }));
  await vi.waitFor(() => expect(screen.getByLabelText("New password")).toHaveValue(""));
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  for (const name of fields) {
    expect(screen.getByLabelText(name)).toHaveValue("");
    expect(screen.getByLabelText(name)).not.toHaveAttribute("aria-invalid", "true");
  }
  expect(screen.queryByText("Required field")).toBeNull();
  expect(screen.queryByRole("alert")).toBeNull();
  vi.useRealTimers();
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
