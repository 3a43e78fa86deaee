import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { DangerButton } from "~/shared/ui/buttons/danger-button";
import { contrast } from "~/testing/contrast";
import { show } from "~/testing/show";
import { cssVariables, theme } from "./theme";

test.each(["light", "dark"] as const)("its words are read on the palette's red: %s", (look) => {
  show(<DangerButton>Give it up</DangerButton>);
  const { style } = screen.getByRole("button", { name: "Give it up" });
  const colours: Record<string, string> = cssVariables(theme as never)[look];
  const named = (property: string) =>
    colours[/^var\((.+)\)$/.exec(style.getPropertyValue(property))?.[1] ?? ""] ?? "";
  expect(named("--button-bg")).toBe(colours["--fail"]);
  expect(contrast(named("--button-bg"), named("--button-color"))).toBeGreaterThanOrEqual(4.5);
});
