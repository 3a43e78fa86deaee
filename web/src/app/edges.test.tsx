import { readFileSync } from "node:fs";
import { Checkbox, TextInput } from "@mantine/core";
import { screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { contrast } from "~/testing/contrast";
import { show } from "~/testing/show";
import { cssVariables, theme } from "./theme";

const ROOT = document.documentElement;
const sheet = document.createElement("style");

beforeEach(() => {
  const theirs = ["Input", "Checkbox"].map(
    (name) => `node_modules/@mantine/core/styles/${name}.css`,
  );
  sheet.textContent = [...theirs, "src/app/app.css"]
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
  document.head.append(sheet);
  ROOT.setAttribute("data-mantine-color-scheme", "light");
  ROOT.style.setProperty("--line-strong", "rgb(1, 2, 3)");
  ROOT.style.setProperty("--mantine-color-error", "rgb(4, 5, 6)");
  ROOT.style.setProperty("--mantine-color-disabled-border", "rgb(7, 8, 9)");
});
afterEach(() => {
  sheet.remove();
  ROOT.removeAttribute("style");
  ROOT.removeAttribute("data-mantine-color-scheme");
});

test.each(["light", "dark"] as const)("the strong edge is seen on every ground: %s", (look) => {
  const colours: Record<string, string> = cssVariables(theme as never)[look];
  for (const ground of ["--surface", "--canvas", "--sunken", "--accent-soft"])
    expect(contrast(colours["--line-strong"] ?? "", colours[ground] ?? "")).toBeGreaterThanOrEqual(
      3,
    );
});

test("fields and boxes have the strong edge", () => {
  show(
    <>
      <TextInput label="Name" />
      <TextInput label="Mail" error="Wrong" />
      <Checkbox label="Agree" />
      <Checkbox label="Off" disabled />
      <Checkbox label="Refuse" error />
    </>,
  );
  const drawn = (name: string) => screen.getByLabelText(name);
  const edge = (name: string) => getComputedStyle(drawn(name)).borderColor;
  const frame = (name: string) =>
    getComputedStyle(drawn(name).parentElement as HTMLElement).getPropertyValue("--input-bd");
  expect([frame("Name"), frame("Mail")]).toEqual(["rgb(1, 2, 3)", "rgb(4, 5, 6)"]);
  expect(["Agree", "Off", "Refuse"].map(edge)).toEqual([
    "rgb(1, 2, 3)",
    "rgb(7, 8, 9)",
    "rgb(4, 5, 6)",
  ]);
});
