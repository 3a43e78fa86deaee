import { render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { PrintLayout } from "~/layouts/bare";
import { chooseAppearance } from "~/shared/ui/appearance";
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
