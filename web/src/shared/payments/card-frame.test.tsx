import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useEffect } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { show } from "~/testing/show";
import type { Submit } from "./card-entry";
import { CardFrame } from "./card-frame";

const submit = vi.fn<Submit>();

vi.mock("./card-entry-field", () => ({
  CardEntryField: ({ onReady }: { onReady: (how: Submit) => void }) => {
    // biome-ignore lint/correctness/useExhaustiveDependencies: it is ready once
    useEffect(() => onReady(submit), []);
    return null;
  },
}));

afterEach(() => {
  vi.restoreAllMocks();
});

test.each([
  ["0livia", /Must contain only letters/],
  ["Olivia <b>", /Must contain only letters/],
  ["4242 4242 4242 4242", /Must contain only letters|card number/],
])("a new card's holder is no %s, and the provider is asked for nothing", async (name, fault) => {
  show(<CardFrame onClose={() => {}} onAdded={() => {}} />);
  const field = await screen.findByLabelText("Name on the card");
  await userEvent.type(field, name);
  await userEvent.click(screen.getByRole("button", { name: "Add the card" }));
  await vi.waitFor(() => expect(field).toBeInvalid());
  expect(field).toHaveAccessibleDescription(fault);
  expect(submit).not.toHaveBeenCalled();
});
