import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { showPage } from "~/testing/show";
import { GuestLink } from "./guest-link";

afterEach(() => {
  vi.restoreAllMocks();
});

const AT = "/activation/device?id=a1#resume=s3cret";

test("a guest copies the link of the page, secret and all", async () => {
  const user = userEvent.setup();
  await showPage(<GuestLink />, AT);
  await user.click(await screen.findByRole("button", { name: "Copy the link" }));
  expect(await screen.findByRole("button", { name: "Link copied" })).toBeVisible();
  expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}${AT}`);
});

test("a link that the browser does not copy is there to be copied by hand", async () => {
  const user = userEvent.setup();
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("denied"));
  await showPage(<GuestLink />, AT);
  await user.click(await screen.findByRole("button", { name: "Copy the link" }));
  expect(await screen.findByRole("alert")).toHaveTextContent(/copy it by hand/);
  expect(screen.getByRole("textbox", { name: "Link to this page" })).toHaveValue(
    `${window.location.origin}${AT}`,
  );
});
