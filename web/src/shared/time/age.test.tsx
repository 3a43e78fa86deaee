import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { show } from "~/testing/show";
import { Age, ago, clock } from "./age";

test.each([
  [0, "0:00"],
  [42, "0:42"],
  [725, "12:05"],
  [3729, "1:02:09"],
])("%i seconds read %s", (seconds, text) => {
  expect(clock(seconds)).toBe(text);
});

test.each([
  ["en", 12, "12 sec. ago"],
  ["en", 150, "2 min. ago"],
  ["en", 7300, "2 hr. ago"],
  ["en", 400_000, "4 days ago"],
  ["fr", 150, "il y a 2 min"],
])("in %s, %i seconds are %s", (locale, seconds, text) => {
  expect(ago(locale, seconds).replaceAll("\u00a0", " ").replaceAll("\u202f", " ")).toBe(text);
});

test("a time that moves on within a message is not read out each second", () => {
  show(
    <p role="status">
      Saved <Age since={new Date().toISOString()} />
    </p>,
  );
  expect(screen.getByText("just now")).toHaveAttribute("aria-live", "off");
});
