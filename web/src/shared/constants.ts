/** Every interface constant of the specs, said once (shell spec 9, shop spec 9, devices spec 9). Times in ms unless the name says else. */
export const CONSTANTS = {
  requestTimeout: 4000,
  fetchMinimumDelay: 200,
  prefetchIdle: 2000,
  validationDelay: 1000,
  successCheck: 1000,
  businessSearchDebounce: 500,
  staleScriptReload: 60_000,
  alertDismiss: 5000,
  actionDismiss: 20_000,
  /** After so long the server's own text stands in for the words that are fetched for it. */
  wordsPatience: 2_000,
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
} as const;

/** Keys of the search page's address (shell spec 9), `view` for cards or rows, and `inStock`. */
export const SEARCH_KEYS = {
  brands: "b",
  categories: "c",
  page: "p",
  term: "s",
  quickOrder: "qo",
  sorting: "so",
  view: "v",
  inStock: "in",
} as const;

export const PHONE_CODES = { US: "+1", CA: "+1", AU: "+61", MX: "+52" } as const;
