import { act, fireEvent, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { show } from "~/testing/show";
import { piecesIn, QuantityField } from "./quantity-field";

function shown(value = 3) {
  const onChange = vi.fn();
  show(<QuantityField value={value} of="Siren" onChange={onChange} />);
  return { onChange, field: screen.getByRole("textbox", { name: "Quantity: Siren" }) };
}

afterEach(() => vi.useRealTimers());

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

test("presses in a row are one change, and one is the least", () => {
  vi.useFakeTimers();
  const { onChange, field } = shown(2);
  const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
  press("One less: Siren");
  expect(field).toHaveValue("1");
  expect(screen.getByRole("button", { name: "One less: Siren" })).toBeDisabled();
  press("One more: Siren");
  press("One more: Siren");
  expect(onChange).not.toHaveBeenCalled();
  act(() => vi.advanceTimersByTime(1_000));
  expect(onChange.mock.calls).toEqual([[3]]);
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

/** A field whose changes are answered when the test says so. */
function awaited(value = 3) {
  const answers: (() => void)[] = [];
  const onChange = vi.fn((_: number) => new Promise<void>((answer) => answers.push(answer)));
  const drawn = (now: number) => <QuantityField value={now} of="Siren" onChange={onChange} />;
  const { rerender, unmount } = show(drawn(value));
  return {
    field: screen.getByRole("textbox", { name: "Quantity: Siren" }),
    more: screen.getByRole("button", { name: "One more: Siren" }),
    onChange,
    answer: (now: number) => {
      rerender(drawn(now));
      answers.shift()?.();
    },
    unmount,
  };
}

test("the number stands until its change is answered, and the next press counts from it", async () => {
  const { field, more, onChange, answer } = awaited(3);
  await userEvent.click(more);
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledWith(4));
  expect(field).toHaveValue("4");
  await userEvent.click(more);
  expect(field).toHaveValue("5");
  await userEvent.tab();
  expect(onChange.mock.calls).toEqual([[4], [5]]);
  answer(4);
  expect(field).toHaveValue("5");
  answer(5);
  expect(field).toHaveValue("5");
});

test("a change that fails gives way to the number before", async () => {
  const { field, more, onChange, answer } = awaited(3);
  await userEvent.click(more);
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledWith(4));
  answer(3);
  await vi.waitFor(() => expect(field).toHaveValue("3"));
});

test("the way back to the number before is a change while another one is under way", async () => {
  const { field, onChange } = awaited(3);
  await userEvent.clear(field);
  await userEvent.type(field, "4{Enter}");
  await userEvent.clear(field);
  await userEvent.type(field, "3{Enter}");
  expect(onChange.mock.calls).toEqual([[4], [3]]);
});

test("a press is not lost when the page is left at once", async () => {
  const { more, onChange, unmount } = awaited(3);
  await userEvent.click(more);
  unmount();
  expect(onChange.mock.calls).toEqual([[4]]);
});
