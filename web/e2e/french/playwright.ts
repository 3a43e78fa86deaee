/**
 * Has the journeys of a worker look for other words than they name. Playwright's classes are that worker's own, and it
 * serves one project.
 */
import {
  type Expect,
  type ExpectMatcherState,
  type Locator,
  type Page,
  expect as playwrightExpect,
} from "@playwright/test";
import type { Words } from "./words";

type Asked = string | RegExp;
type Options = { exact?: boolean; name?: Asked; hasText?: Asked; hasNotText?: Asked };
type Method = (this: unknown, first: unknown, options?: Options) => unknown;

const BY_TEXT = ["getByText", "getByLabel", "getByPlaceholder", "getByAltText", "getByTitle"];
const BY_OPTIONS = ["getByRole", "filter", "locator"];

/** What is looked for on a page, and within what was found there. */
export function lookFor(words: Words, page: Page): void {
  const found = page.locator("html");
  for (const one of [page.mainFrame(), found, found.contentFrame()]) {
    const methods = Object.getPrototypeOf(one) as Record<string, Method>;
    for (const name of BY_TEXT)
      replace(methods, name, (first, options) => [
        words(first as Asked, options?.exact ? "whole" : "part"),
        options,
      ]);
    for (const name of BY_OPTIONS)
      replace(methods, name, (first, options) =>
        name === "filter"
          ? [inOptions(words, first as Options)]
          : [first, inOptions(words, options)],
      );
  }
  choose(words, Object.getPrototypeOf(found) as Locator);
}

/** An option is chosen by its value or its whole text. What a device calls it is English. */
function choose(words: Words, locators: Locator): void {
  const { selectOption } = locators;
  locators.selectOption = async function (this: Locator, wanted, options) {
    const asked = typeof wanted === "string" ? wanted : (wanted as { label?: string }).label;
    const said = asked === undefined ? asked : words(asked, "whole");
    if (asked === undefined || !(said instanceof RegExp))
      return selectOption.call(this, wanted, options);
    const found = () =>
      this.locator("option").evaluateAll(
        (all, { value, text }) =>
          (all as HTMLOptionElement[])
            .filter((one) => [one.value, one.label].includes(value) || RegExp(text).test(one.label))
            .map((one) => one.value),
        { value: asked, text: said.source },
      );
    await playwrightExpect.poll(found, `an option ${said}`).toHaveLength(1);
    return selectOption.call(this, await found(), options);
  };
}

function replace(
  methods: Record<string, Method>,
  name: string,
  spoken: (...told: Parameters<Method>) => [unknown, Options?],
): void {
  const before = methods[name];
  if (!before) return;
  methods[name] = function (first, options) {
    return before.call(this, ...spoken(first, options));
  };
}

function inOptions<T extends Options | undefined>(words: Words, options: T): T {
  if (!options) return options;
  const { exact, name, hasText, hasNotText } = options;
  return {
    ...options,
    ...(name !== undefined && { name: words(name, exact ? "whole" : "part") }),
    ...(hasText !== undefined && { hasText: words(hasText, "within") }),
    ...(hasNotText !== undefined && { hasNotText: words(hasNotText, "within") }),
  };
}

/** What is expected of what was found. */
export function expectIn(words: Words, expect: Expect): Expect {
  type Matcher = (wanted: unknown, options?: object) => Promise<void>;
  type Said = "toContainText" | "toHaveText" | "toHaveTitle" | "toHaveAccessibleName";
  const said = (matcher: Said) =>
    async function (
      this: ExpectMatcherState,
      found: Locator & Page,
      wanted: Asked | Asked[],
      options?: object,
    ) {
      const how = matcher === "toContainText" ? "within" : "whole";
      const spoken = [wanted].flat().map((one) => words(one, how));
      const expected = Array.isArray(wanted) ? spoken : spoken[0];
      const expecting = expect(found) as unknown as Record<Said, Matcher> & {
        not: Record<Said, Matcher>;
      };
      try {
        await (this.isNot ? expecting.not : expecting)[matcher](expected, options);
        return { pass: !this.isNot, message: () => "" };
      } catch (fault) {
        return { pass: this.isNot, message: () => String(fault) };
      }
    };
  return expect.extend({
    toContainText: said("toContainText"),
    toHaveText: said("toHaveText"),
    toHaveTitle: said("toHaveTitle"),
    toHaveAccessibleName: said("toHaveAccessibleName"),
  }) as Expect;
}
