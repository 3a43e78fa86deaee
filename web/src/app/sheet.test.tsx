import { readFileSync } from "node:fs";
import { TextInput } from "@mantine/core";
import { screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { show } from "~/testing/show";

const ROOT = document.documentElement;
const sheet = document.createElement("style");

beforeEach(() => {
  sheet.textContent = ["node_modules/@mantine/core/styles/Input.css", "src/app/app.css"]
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
  document.head.append(sheet);
  ROOT.style.setProperty("--accent", "rgb(1, 2, 3)");
  ROOT.style.setProperty("--space-2", "8px");
});
afterEach(() => {
  sheet.remove();
  ROOT.removeAttribute("style");
});

test("a link has the colour of the theme, not the browser's blue", () => {
  show(<a href="/search">Products</a>);
  expect(getComputedStyle(screen.getByRole("link")).color).toBe("rgb(1, 2, 3)");
});

test("a field's label stands as far from it in every form, and the field is as tall as a finger", () => {
  show(<TextInput size="md" label="Name" />);
  const label = getComputedStyle(screen.getByText("Name"));
  expect(label.marginBottom).toBe("8px");
  const frame = screen.getByLabelText("Name").parentElement as HTMLElement;
  expect(getComputedStyle(frame).getPropertyValue("--input-height-md")).toBe("2.75rem");
});
