import { render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { PrintLayout } from "~/layouts/bare";
import { chooseAppearance } from "~/shared/ui/fields/appearance";
import { Appearance } from "./appearance";

const look = () => document.documentElement.dataset.mantineColorScheme;

afterEach(() => chooseAppearance("auto"));

test("a page made for paper is light for as long as it stands there, whatever was chosen", () => {
  chooseAppearance("dark");
  const { rerender } = render(<Appearance>At the desk</Appearance>);
  expect(look()).toBe("dark");
  rerender(
    <Appearance>
      <PrintLayout>On paper</PrintLayout>
    </Appearance>,
  );
  expect(look()).toBe("light");
  rerender(<Appearance>At the desk</Appearance>);
  expect(look()).toBe("dark");
});

test("a dark page is not light for a moment as it is drawn, and says whether it may move", () => {
  chooseAppearance("dark");
  document.documentElement.dataset.mantineColorScheme = "dark";
  const looks = new MutationObserver(() => undefined);
  looks.observe(document.documentElement, { attributes: true, attributeOldValue: true });
  render(<Appearance>At the desk</Appearance>);
  expect(look()).toBe("dark");
  expect(looks.takeRecords().map(({ oldValue }) => oldValue)).not.toContain("light");
  expect(document.documentElement.dataset.respectReducedMotion).toBe("true");
});
