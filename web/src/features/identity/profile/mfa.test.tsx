import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { aPerson } from "~/testing/a-person";
import { show } from "~/testing/show";
import { Mfa } from "./mfa";

afterEach(() => vi.restoreAllMocks());

const off = aPerson({ mfa_type: "none", phone_number: "+15195550100" });
const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));

test("the steps of setting it up take the focus on, and give it back", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () =>
    Response.json({ secret: "ABCD2345", address: "otpauth://totp/x?secret=ABCD2345" }),
  );
  show(<Mfa user={off} locked={false} />);
  await press("Use an authenticator app");
  expect(await screen.findByText(/Scan this with your authenticator app/)).toHaveFocus();
  await press("Cancel");
  expect(screen.getByRole("heading", { name: "Multi-factor authentication" })).toHaveFocus();
});

test("once it is on, its heading has the focus of the button that turned it on", async () => {
  const { rerender } = show(<Mfa user={off} locked={false} />);
  screen.getByRole("button", { name: "Use text messages" }).focus();
  rerender(<Mfa user={{ ...off, mfa_type: "sms" }} locked={false} />);
  await Promise.resolve();
  expect(screen.getByRole("heading", { name: "Multi-factor authentication" })).toHaveFocus();
});
