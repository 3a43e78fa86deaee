import { useLocation } from "@tanstack/react-router";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { refusing } from "~/testing/refusing";
import { showPage } from "~/testing/show";
import { ForgotPasswordScreen } from "../password/forgot-password";
import { SignInForm } from "./sign-in-form";

const WHO = "ivan@turnkey.example";

afterEach(() => {
  vi.restoreAllMocks();
});

function Pages() {
  const path = useLocation({ select: (location) => location.pathname });
  if (path === "/forgot-password") return <ForgotPasswordScreen />;
  return <SignInForm onSignedIn={() => undefined} />;
}

async function tried() {
  const page = await showPage(<Pages />);
  await userEvent.type(await screen.findByLabelText("Email"), WHO);
  await userEvent.type(screen.getByLabelText("Password"), "not-it");
  await userEvent.click(screen.getByRole("button", { name: "Log in" }));
  return page;
}

const LIMITED = {
  code: "too_many_attempts",
  status: 429,
  detail: "Attempt limit exceeded, please try after some time.",
};

test("a limit says how long it lasts", async () => {
  refusing("/v1/auth/sign-in", { ...LIMITED, retryAfter: 541 });
  await tried();
  expect(await screen.findByText(`${LIMITED.detail} Try again in 10 minutes.`)).toBeVisible();
});

test("the way out of a limit knows whose password it is", async () => {
  refusing("/v1/auth/sign-in", { ...LIMITED, retryAfter: 60 });
  const { history } = await tried();
  await userEvent.click(await screen.findByRole("link", { name: "Reset the password now" }));
  await vi.waitFor(() => expect(history.location.pathname).toBe("/forgot-password"));
  expect(history.location.state.username).toBe(WHO);
});

test("the focus is at the code once it is asked for, and at the email again for another account", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () =>
    Response.json({ challenge_id: "c1", mfa_type: "totp", sent_to: null }),
  );
  await tried();
  expect(await screen.findByLabelText("Verification code")).toHaveFocus();
  await userEvent.click(screen.getByRole("button", { name: "Use another account" }));
  expect(screen.getByLabelText("Email")).toHaveFocus();
});

test("too many wrong codes are offered the reset too", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) =>
    asked instanceof Request && asked.url.endsWith("/sign-in")
      ? Response.json({ challenge_id: "c1", mfa_type: "totp", sent_to: null })
      : Response.json(LIMITED, { status: 429, headers: { "Retry-After": "600" } }),
  );
  const { history } = await tried();
  await userEvent.type(await screen.findByLabelText("Verification code"), "123456");
  await userEvent.click(screen.getByRole("button", { name: "Confirm" }));
  expect(await screen.findByText(`${LIMITED.detail} Try again in 10 minutes.`)).toBeVisible();
  await userEvent.click(screen.getByRole("link", { name: "Reset the password now" }));
  await vi.waitFor(() => expect(history.location.pathname).toBe("/forgot-password"));
  expect(history.location.state.username).toBe(WHO);
});

test("a locked account is offered its reset", async () => {
  const detail = "Account locked. Please reset password.";
  refusing("/v1/auth/sign-in", { code: "reset_required", status: 403, detail });
  const { history } = await tried();
  expect(await screen.findByText(detail)).toBeVisible();
  await userEvent.click(screen.getByRole("link", { name: "Reset the password now" }));
  await vi.waitFor(() => expect(history.location.pathname).toBe("/forgot-password"));
  expect(history.location.state.username).toBe(WHO);
});

test("other refusals tell of no way out", async () => {
  const detail = "Invalid Password/Email";
  refusing("/v1/auth/sign-in", { code: "invalid_credentials", status: 401, detail });
  await tried();
  expect(await screen.findByText(detail)).toBeVisible();
  expect(screen.queryByText(/Try again in|Reset the password/)).toBeNull();
});

test("the reset that a limit leads to has the address filled in", async () => {
  refusing("/v1/auth/sign-in", { ...LIMITED, retryAfter: 60 });
  await tried();
  await userEvent.click(await screen.findByRole("link", { name: "Reset the password now" }));
  expect(await screen.findByRole("button", { name: "Send the code" })).toBeVisible();
  expect(screen.getByLabelText("Email")).toHaveValue(WHO);
});
