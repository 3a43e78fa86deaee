import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { refusing } from "~/testing/refusing";
import { aBankAccount } from "~/testing/shop/a-payment-method";
import { showPage } from "~/testing/show";
import { Verify } from "./verify";

afterEach(() => {
  vi.restoreAllMocks();
});

test("a code that is wrong is not told as amounts, and the words go with its form", async () => {
  refusing("/api/verify-bank-account", { code: "wrong_amounts", status: 409 });
  const verification = {
    state: "waiting",
    triesLeft: 2,
    reason: null,
    expiresAt: "2027-01-02T10:00:00Z",
    takesCode: true,
  } as const;
  await showPage(
    <Verify method={aBankAccount({ status: "pending", verification })} name="Checking" />,
  );
  await userEvent.click(screen.getByRole("button", { name: /with a code/ }));
  await userEvent.type(screen.getByLabelText("Code of the deposit"), "SM33ZZ{Enter}");
  expect((await screen.findByRole("alert")).textContent).toBe(
    "This is not the code of the deposit.",
  );
  await userEvent.click(screen.getByRole("button", { name: /two deposits/ }));
  expect(screen.queryByRole("alert")).toBeNull();
});
