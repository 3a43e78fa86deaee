import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { aBankAccount, aCard } from "~/testing/shop/a-payment-method";
import { show } from "~/testing/show";
import { EditForm } from "./edit-form";

afterEach(() => {
  vi.restoreAllMocks();
});

test.each([
  ["0livia", /Must contain only letters/],
  ["Olivia <b>", /Must contain only letters/],
  ["4242 4242 4242 4242", /Must contain only letters|card number/],
])("a card's holder is no %s, and nothing is sent", async (name, fault) => {
  const fetched = vi.spyOn(globalThis, "fetch");
  show(<EditForm method={aCard()} name="Visa •••• 4242" onClose={() => {}} />);
  const field = await screen.findByLabelText("Name on the card");
  await userEvent.clear(field);
  await userEvent.type(field, name);
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await vi.waitFor(() => expect(field).toBeInvalid());
  expect(field).toHaveAccessibleDescription(fault);
  expect(fetched).not.toHaveBeenCalled();
});

test("a company's account may have digits in its name, and no card number", async () => {
  show(<EditForm method={aBankAccount()} name="Checking" onClose={() => {}} />);
  const field = await screen.findByLabelText("Account holder");
  await userEvent.clear(field);
  await userEvent.type(field, "4242 4242 4242 4242");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await vi.waitFor(() => expect(field).toBeInvalid());
});

test("what is being saved is not left", async () => {
  const answers: ((answer: Response) => void)[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(
    () => new Promise((answer) => answers.push(answer)),
  );
  const onClose = vi.fn();
  show(<EditForm method={aCard()} name="Visa •••• 4242" onClose={onClose} />);
  await userEvent.click(await screen.findByRole("button", { name: "Save" }));
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  expect(screen.getByRole("button", { name: "Cancel" })).toBeDisabled();
  await userEvent.keyboard("{Escape}");
  expect(onClose).not.toHaveBeenCalled();
  answers[0]?.(Response.json({ detail: "Not now." }, { status: 503 }));
  expect(await screen.findByRole("alert")).toBeVisible();
});
