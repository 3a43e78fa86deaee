import { queryOptions } from "@tanstack/react-query";
import type { Language } from "~/i18n/language";
import { asking } from "~/shared/api/operation";
import { CONSTANTS } from "~/shared/constants";

export const pageQuery = (id: string, locale: Language) =>
  queryOptions({
    ...asking("get", "/content/v1/pages/{id}", { params: { path: { id }, query: { locale } } }),
    staleTime: 60_000,
  });

/** The slides of the home page. Its failure is silent, so it is not tried again. */
export const carouselQuery = (locale: Language) =>
  queryOptions({ ...pageQuery(String(CONSTANTS.homeCarouselPage), locale), retry: false });
