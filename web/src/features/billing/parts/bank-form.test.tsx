import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { show } from "~/testing/show";
import { BankForm } from "./bank-form";

afterEach(() => {
  vi.restoreAllMocks();
});

async function named(name: string, holder: "Company" | "Individual") {
  const fetched = vi.spyOn(globalThis, "fetch");
  show(<BankForm onClose={() => {}} />);
  const field = await screen.findByLabelText("Account holder");
  await userEvent.type(field, name);
  await userEvent.selectOptions(screen.getByLabelText("Holder"), holder);
  await userEvent.click(screen.getByRole("button", { name: "Add the bank account" }));
  await vi.waitFor(() => expect(screen.getByLabelText("Account number")).toBeInvalid());
  expect(fetched).not.toHaveBeenCalled();
  return field;
}

test.each([
  ["0livia", "Individual"],
  ["Olivia <b>", "Individual"],
  ["4242 4242 4242 4242", "Individual"],
  ["4242 4242 4242 4242", "Company"],
] as const)("%s is no holder of an account of kind %s", async (name, holder) => {
  expect(await named(name, holder)).toBeInvalid();
});

test.each([
  ["Olivia Marchand", "Individual"],
  ["1st Audio & Sons #2", "Company"],
] as const)("%s is one of kind %s", async (name, holder) => {
  expect(await named(name, holder)).toBeValid();
});
