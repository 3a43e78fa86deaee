import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { show } from "~/testing/show";
import { StretchFields, usualStretches } from "./stretch";

afterEach(() => {
  vi.useRealTimers();
});

test.each([
  ["2026-01-01T00:30:00Z", "2026-01", "31", "2025-12-01", "2025-12-31"],
  ["2028-02-29T23:30:00-08:00", "2028-03", "31", "2028-02-01", "2028-02-29"],
])("at %s the months and the year are those of UTC", (now, month, last, from, to) => {
  const { thisMonth, lastMonth, thisYear } = usualStretches(new Date(now));
  expect(thisMonth).toEqual({ from: `${month}-01`, to: `${month}-${last}` });
  expect(lastMonth).toEqual({ from, to });
  const year = month.slice(0, 4);
  expect(thisYear).toEqual({ from: `${year}-01-01`, to: `${year}-12-31` });
});

test("a usual stretch is one press, and shows that it is the present one", async () => {
  vi.setSystemTime("2026-11-28T12:00:00Z");
  const onChange = vi.fn();
  const { thisYear, lastMonth } = usualStretches(new Date());
  show(<StretchFields stretch={thisYear} onChange={onChange} />);
  expect(screen.getByRole("button", { name: "This year" })).toHaveAttribute("aria-pressed", "true");
  await userEvent.click(screen.getByRole("button", { name: "Last month" }));
  expect(onChange.mock.calls).toEqual([[lastMonth]]);
});
