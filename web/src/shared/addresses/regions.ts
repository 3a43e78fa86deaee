import type { I18n, MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";

/** The countries of the specs (shop spec 3); the code is what is sent. */
export const COUNTRIES = ["CA", "US", "MX", "AU"] as const;

export type Country = (typeof COUNTRIES)[number];

type Regions = Readonly<Record<string, MessageDescriptor | string>>;

/** Provinces, territories and states: code → name. Names that French writes in another way are messages. */
export const REGIONS: Readonly<Record<Country, Regions>> = {
  CA: {
    AB: "Alberta",
    BC: msg`British Columbia`,
    MB: "Manitoba",
    NB: msg`New Brunswick`,
    NL: msg`Newfoundland and Labrador`,
    NS: msg`Nova Scotia`,
    NT: msg`Northwest Territories`,
    NU: "Nunavut",
    ON: "Ontario",
    PE: msg`Prince Edward Island`,
    QC: msg`Quebec`,
    SK: "Saskatchewan",
    YT: "Yukon",
  },
  US: {
    AL: "Alabama",
    AK: "Alaska",
    AZ: "Arizona",
    AR: "Arkansas",
    CA: "California",
    CO: "Colorado",
    CT: "Connecticut",
    DE: "Delaware",
    DC: "District of Columbia",
    FL: "Florida",
    GA: "Georgia",
    HI: "Hawaii",
    ID: "Idaho",
    IL: "Illinois",
    IN: "Indiana",
    IA: "Iowa",
    KS: "Kansas",
    KY: "Kentucky",
    LA: "Louisiana",
    ME: "Maine",
    MD: "Maryland",
    MA: "Massachusetts",
    MI: "Michigan",
    MN: "Minnesota",
    MS: "Mississippi",
    MO: "Missouri",
    MT: "Montana",
    NE: "Nebraska",
    NV: "Nevada",
    NH: "New Hampshire",
    NJ: "New Jersey",
    NM: "New Mexico",
    NY: "New York",
    NC: "North Carolina",
    ND: "North Dakota",
    OH: "Ohio",
    OK: "Oklahoma",
    OR: "Oregon",
    PA: "Pennsylvania",
    PR: "Puerto Rico",
    RI: "Rhode Island",
    SC: "South Carolina",
    SD: "South Dakota",
    TN: "Tennessee",
    TX: "Texas",
    UT: "Utah",
    VT: "Vermont",
    VA: "Virginia",
    WA: "Washington",
    WV: "West Virginia",
    WI: "Wisconsin",
    WY: "Wyoming",
  },
  MX: {
    AGU: "Aguascalientes",
    BCN: "Baja California",
    BCS: "Baja California Sur",
    CAM: "Campeche",
    CHP: "Chiapas",
    CHH: "Chihuahua",
    CMX: "Ciudad de México",
    COA: "Coahuila",
    COL: "Colima",
    DUR: "Durango",
    GUA: "Guanajuato",
    GRO: "Guerrero",
    HID: "Hidalgo",
    JAL: "Jalisco",
    MEX: "México",
    MIC: "Michoacán",
    MOR: "Morelos",
    NAY: "Nayarit",
    NLE: "Nuevo León",
    OAX: "Oaxaca",
    PUE: "Puebla",
    QUE: "Querétaro",
    ROO: "Quintana Roo",
    SLP: "San Luis Potosí",
    SIN: "Sinaloa",
    SON: "Sonora",
    TAB: "Tabasco",
    TAM: "Tamaulipas",
    TLA: "Tlaxcala",
    VER: "Veracruz",
    YUC: "Yucatán",
    ZAC: "Zacatecas",
  },
  AU: {
    ACT: "Australian Capital Territory",
    NSW: "New South Wales",
    NT: "Northern Territory",
    QLD: "Queensland",
    SA: "South Australia",
    TAS: "Tasmania",
    VIC: "Victoria",
    WA: "Western Australia",
  },
};

const POSTAL: Record<Country, RegExp> = {
  CA: /^[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z] ?\d[ABCEGHJ-NPRSTV-Z]\d$/i,
  US: /^\d{5}(-\d{4})?$/,
  MX: /^\d{5}$/,
  AU: /^\d{4}$/,
};

export function isCountry(code: string): code is Country {
  return COUNTRIES.some((one) => one === code);
}

/** The name of a country in the page's language; what is no code stays as it is. */
export function countryName(code: string, i18n: I18n): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  return new Intl.DisplayNames([i18n.locale], { type: "region" }).of(code) ?? code;
}

/** The regions of a country, by name in the page's language. */
export function regionsOf(country: Country, i18n: I18n): { value: string; label: string }[] {
  return Object.entries(REGIONS[country])
    .map(([value, name]) => ({ value, label: typeof name === "string" ? name : i18n._(name) }))
    .sort((one, other) => one.label.localeCompare(other.label, i18n.locale));
}

/** Whether a postal code has the form of its country; one of an unknown country passes. */
export function isPostalCode(text: string, country: string): boolean {
  return !isCountry(country) || POSTAL[country].test(text.trim());
}
