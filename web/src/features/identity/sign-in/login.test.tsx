import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { showPage } from "~/testing/show";
import { LoginScreen } from "./login";

test.each([
  ["mfa-off" as const, /Multi-factor authentication is off\. You were logged out everywhere/],
  ["elsewhere" as const, /Your session ended\. Please log in again\./],
])("whoever was signed out (%s) is told why", async (ended, words) => {
  await showPage(<LoginScreen next={undefined} ended={ended} />);
  expect(screen.getByText(words)).toBeVisible();
});

test("whoever comes by themselves is told nothing of it", async () => {
  await showPage(<LoginScreen next={undefined} ended={undefined} />);
  expect(screen.queryByText(/logged out|session ended/)).toBeNull();
});
