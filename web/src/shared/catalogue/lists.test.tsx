import { i18n } from "@lingui/core";
import { act, renderHook } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { messages as en } from "~/i18n/en.po";
import { messages as fr } from "~/i18n/fr.po";
import { BUILT_IN_CATEGORIES, categoryName } from "~/shared/navigation/catalogue";
import { holding } from "~/testing/show";
import { useCatalogueLists } from "./lists";

const speak = (locale: "en" | "fr") =>
  act(() => i18n.loadAndActivate({ locale, messages: locale === "fr" ? fr : en }));

afterEach(() => {
  speak("en");
  vi.restoreAllMocks();
});

test("each category of the specs has its literal name in English, and one of its own in French", () => {
  for (const one of BUILT_IN_CATEGORIES) expect(categoryName(i18n, one)).toBe(one.name);
  speak("fr");
  const named = BUILT_IN_CATEGORIES.map((one) => categoryName(i18n, one));
  expect(new Set(named).size).toBe(BUILT_IN_CATEGORIES.length);
  expect(named.filter((name, at) => name === BUILT_IN_CATEGORIES[at]?.name)).toEqual([]);
});

test("menus, filters and search name categories in the page's language, and new ones as the server does", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) =>
    Response.json(
      new URL((request as Request).url).pathname.endsWith("/product-categories")
        ? [
            { name: "Back-up Camera", slug: "back-up-camera", count: 1 },
            { name: "Accessories", slug: "accessories", count: 2 },
            { name: "Constructor", slug: "constructor", count: 3 },
          ]
        : [{ name: "Compustar", slug: "compustar", count: 3 }],
    ),
  );
  const { result } = renderHook(() => useCatalogueLists(), { wrapper: holding() });
  const names = () => result.current.categories.map(({ name }) => name);
  await vi.waitFor(() => expect(names()).toEqual(["Back-up Camera", "Accessories", "Constructor"]));
  speak("fr");
  expect(names()).toEqual(["Accessoires", "Caméra de recul", "Constructor"]);
  await vi.waitFor(() =>
    expect(result.current.brands.map(({ name }) => name)).toEqual(["Compustar"]),
  );
});
