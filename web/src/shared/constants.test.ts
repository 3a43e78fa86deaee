import { expect, test } from "vitest";
import { CONSTANTS, PHONE_CODES, SEARCH_KEYS } from "./constants";

test("the interface constants are those of the specs", () => {
  expect(CONSTANTS).toEqual({
    requestTimeout: 4000,
    fetchMinimumDelay: 200,
    prefetchIdle: 2000,
    validationDelay: 1000,
    successCheck: 1000,
    businessSearchDebounce: 500,
    staleScriptReload: 60_000,
    alertDismiss: 5000,
    actionDismiss: 20_000,
    cookieMaxAgeSeconds: 86400,
    trustedDeviceDays: 365,
    lazyImageMargin: 150,
    swipeDistance: 30,
    modalMaxWidth: 405,
    crumbMaxWidth: 200,
    breakpointSmall: 480,
    breakpointMobile: 740,
    tablePageSize: 10,
    tablePageSizes: [10, 30, 60, 100],
    maximumPageFetch: 100,
    partnerPageSize: 100,
    productPageSize: 8,
    productPageSizes: [8, 20, 40, 100],
    pagesListedInFull: 5,
    recentSearches: 5,
    recentVehicles: 5,
    vehicleProductsKept: 300_000,
    productKept: 160_000,
    cartBadgeCap: 9,
    phoneDigits: 10,
    firstVehicleYear: 1940,
    cardYears: 26,
    homeCarouselPage: 18724,
    defaultErrorStatus: 418,
    copyrightYear: 2021,
  });
  expect(Object.values(SEARCH_KEYS)).toEqual(["b", "c", "p", "s", "qo", "so", "v", "in"]);
  expect(PHONE_CODES).toEqual({ US: "+1", CA: "+1", AU: "+61", MX: "+52" });
});
