import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { DangerButton } from "~/shared/ui/danger-button";
import { show } from "~/testing/show";
import { cssVariables, theme } from "./theme";

/** How bright a colour is, between 0 and 1, as WCAG 2 counts it. */
function luminance(hex: string): number {
  const parts = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = parts.map((part) =>
    part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}

test.each(["light", "dark"] as const)("its words are read on the palette's red: %s", (look) => {
  show(<DangerButton>Give it up</DangerButton>);
  const { style } = screen.getByRole("button", { name: "Give it up" });
  const colours: Record<string, string> = cssVariables(theme as never)[look];
  const named = (property: string) =>
    colours[/^var\((.+)\)$/.exec(style.getPropertyValue(property))?.[1] ?? ""] ?? "";
  expect(named("--button-bg")).toBe(colours["--fail"]);
  expect(contrast(named("--button-bg"), named("--button-color"))).toBeGreaterThanOrEqual(4.5);
});
