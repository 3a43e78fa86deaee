import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { show } from "~/testing/show";
import { piecesIn, QuantityField } from "./quantity-field";

function shown(value = 3) {
  const onChange = vi.fn();
  show(<QuantityField value={value} of="Siren" onChange={onChange} />);
  return { onChange, field: screen.getByRole("textbox", { name: "Quantity: Siren" }) };
}

test("a typed number is told once, when it is settled", async () => {
  const { onChange, field } = shown();
  await userEvent.clear(field);
  await userEvent.type(field, "12");
  expect(onChange).not.toHaveBeenCalled();
  await userEvent.keyboard("{Enter}");
  await userEvent.tab();
  expect(onChange.mock.calls).toEqual([[12]]);
});

test("what is no whole number above zero is not told, and the number before comes back", async () => {
  const { onChange, field } = shown();
  await userEvent.clear(field);
  await userEvent.type(field, "0x");
  expect(field).toHaveAttribute("aria-invalid", "true");
  await userEvent.tab();
  expect(field).toHaveValue("3");
  expect(onChange).not.toHaveBeenCalled();
});

test("a number above the most becomes the most", async () => {
  const { onChange, field } = shown();
  await userEvent.clear(field);
  await userEvent.type(field, "123456");
  expect(field).toHaveValue("9999");
  await userEvent.tab();
  expect(onChange.mock.calls).toEqual([[9999]]);
});

test("presses in a row are one change, and one is the least", async () => {
  const { onChange, field } = shown(2);
  await userEvent.click(screen.getByRole("button", { name: "One less: Siren" }));
  expect(field).toHaveValue("1");
  expect(screen.getByRole("button", { name: "One less: Siren" })).toBeDisabled();
  await userEvent.click(screen.getByRole("button", { name: "One more: Siren" }));
  await userEvent.click(screen.getByRole("button", { name: "One more: Siren" }));
  await vi.waitFor(() => expect(onChange.mock.calls).toEqual([[3]]));
});

test("Tab goes from number to number, past the buttons", async () => {
  const { field } = shown();
  await userEvent.tab();
  expect(field).toHaveFocus();
});

test.each([
  ["1", 1],
  ["0007", 7],
  ["9999", 9999],
  ["0", undefined],
  ["10000", undefined],
  ["1.5", undefined],
  ["-1", undefined],
  ["", undefined],
])("%j is %s pieces", (text, pieces) => {
  expect(piecesIn(text)).toBe(pieces);
});

test("a number that a rule changes says so", async () => {
  const { field } = shown(3);
  await userEvent.clear(field);
  await userEvent.type(field, "12000");
  expect(field).toHaveValue("9999");
  expect(screen.getByRole("status")).toHaveTextContent("At most 9999 pieces.");
  await userEvent.clear(field);
  await userEvent.type(field, "0");
  await userEvent.tab();
  expect(field).toHaveValue("3");
  expect(screen.getByRole("status")).toHaveTextContent("3 as before");
});

test.each(["{ArrowUp}", "{Escape}"])(
  "%s takes what was told of the last number along",
  async (key) => {
    const { field } = shown();
    await userEvent.clear(field);
    await userEvent.type(field, "123456");
    expect(screen.getByRole("status")).toHaveTextContent("At most 9999 pieces.");
    await userEvent.type(field, key);
    expect(screen.queryByRole("status")).toBeNull();
  },
);
