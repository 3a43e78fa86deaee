import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { Schemas } from "~/shared/api/client";
import { ordersBySku } from "~/shared/session/rights";
import type { Session } from "~/shared/session/session";
import {
  APPROVED_BRANDS,
  BUILT_IN_BRANDS,
  BUILT_IN_CATEGORIES,
  ofBrand,
  ofCategory,
  type Slugged,
} from "./catalogue";
import { opens } from "./guard";
import { type Screen, screenOf } from "./routes";

export type SiteAnswer = Schemas["SiteAnswer"];

/**
 * `label` is a name of the trade when it is plain text, and translated otherwise; `may` says for whom it is where its
 * screen is for more people.
 */
export type NavLink = { label: MessageDescriptor | string; may?: (now: Session) => boolean } & (
  | { to: string; search?: Record<string, string> }
  | { outside: keyof SiteAnswer["links"] }
);

export function keyOf({ label }: NavLink): string {
  return typeof label === "string" ? label : label.id;
}

type NavGroup = { label: MessageDescriptor; links: readonly NavLink[] };

const quickOrder: NavLink = {
  label: msg`Quick Order`,
  to: "/search",
  search: { qo: "true" },
  may: ordersBySku,
};
const wiki: NavLink = { label: msg`Wiki`, outside: "wiki" };
const wiring: NavLink = { label: msg`Wiring`, to: "/wiring" };
const activation: NavLink = { label: msg`Drone Activation`, to: "/activation" };
const devices: NavLink = { label: msg`Devices`, to: "/devices" };
const guides: NavLink = { label: msg`Installer Guides`, to: "/installer-guides" };
const bulbs: NavLink = { label: msg`Bulb Search`, outside: "bulb_search" };
const services: readonly NavLink[] = [
  { label: msg`Company Info`, to: "/company-info" },
  { label: msg`Customer Subscriptions`, to: "/subscriptions" },
  { label: msg`Shipping`, to: "/shipping" },
];

/** Whoever has approved brands may have those alone (shop spec 2). */
const approved: NavLink = { label: msg`Approved Brands`, to: "/search", search: APPROVED_BRANDS };

/** Where the logo leads; a menu says it in words. */
export const HOME: NavLink = { label: msg`Dashboard`, to: "/" };

/** The inline links of the top navigation. */
export const INLINE: readonly NavLink[] = [quickOrder, wiki, wiring, activation, guides, bulbs];

/** The dropdowns: Products and Brands, each with View All, and Services. */
export function dropdowns(
  categories: readonly Slugged[],
  brands: readonly Slugged[],
  hasApproved = false,
): NavGroup[] {
  return [
    products(categories),
    brandGroup(brands, hasApproved),
    { label: msg`Services`, links: services },
  ];
}

export const DROPDOWNS = dropdowns(BUILT_IN_CATEGORIES, BUILT_IN_BRANDS);

/** The lists of the footer. */
export function footer(
  categories: readonly Slugged[],
  brands: readonly Slugged[],
  hasApproved = false,
): NavGroup[] {
  return [products(categories), brandGroup(brands, hasApproved), ...FOOTER_REST];
}

const FOOTER_REST: readonly NavGroup[] = [
  {
    label: msg`Services`,
    links: [
      ...services,
      { label: msg`Contact Us`, to: "/contact-us" },
      { label: msg`Return Policy`, to: "/return-policy" },
    ],
  },
  { label: msg`Installation`, links: [activation, devices, wiring, guides, wiki, bulbs] },
  {
    label: msg`Manage Account`,
    links: [
      { label: msg`My Orders`, to: "/my-orders" },
      { label: msg`Invoices`, to: "/invoice" },
      { label: msg`Credit memos`, to: "/credit-memo" },
      { label: msg`Statement of account`, to: "/statement" },
      { label: msg`My Profile`, to: "/profile" },
      { label: msg`My Business`, to: "/my-business" },
      { label: msg`Rewards`, to: "/rewards" },
      { label: msg`Billing`, to: "/billing" },
      { label: msg`Dealer Request`, to: "/dealer-request" },
    ],
  },
];

/** The pages of those who work at a business, by what they do there. */
export const AT_WORK: readonly NavGroup[] = FOOTER_REST.slice(1);

export const FOOTER = footer(BUILT_IN_CATEGORIES, BUILT_IN_BRANDS);

export const FOOT_LINE: readonly NavLink[] = [
  { label: msg`Community`, outside: "community" },
  { label: msg`Terms & Conditions`, to: "/terms" },
  { label: msg`Privacy Policy`, to: "/privacy-policy" },
];

/** The links that lead somewhere: to a screen that is for the person and switched on, or to an address that is set. */
export function living(
  links: readonly NavLink[],
  site: SiteAnswer | undefined,
  now: Session,
): NavLink[] {
  return links.filter((link) =>
    "outside" in link
      ? Boolean(site?.links[link.outside])
      : isOffered(link.to, site, now) && (link.may?.(now) ?? true),
  );
}

/** Whether a screen exists, is switched on and is for the person. Visitors are offered all: they may sign in. */
export function isOffered(to: string, site: SiteAnswer | undefined, now: Session): boolean {
  const screen = screenOf(to);
  if (!screen || !isOn(screen, site)) return false;
  return now.state === "anonymous" || opens(screen, now, to);
}

/** Whether a screen is switched on; as long as nobody knows, it is. */
export function isOn({ feature }: Screen, site: SiteAnswer | undefined): boolean {
  return !feature || site?.features[feature] !== false;
}

/** The groups with what is living in them; one without any is left out. */
export function livingGroups(
  groups: readonly NavGroup[],
  site: SiteAnswer | undefined,
  now: Session,
): NavGroup[] {
  return groups
    .map(({ label, links }) => ({ label, links: living(links, site, now) }))
    .filter(({ links }) => links.length > 0);
}

function products(categories: readonly Slugged[]): NavGroup {
  const links = categories.map((one) => ({
    label: one.name,
    to: "/search",
    search: ofCategory(one),
  }));
  return { label: msg`Products`, links: [...links, { label: msg`View All`, to: "/search" }] };
}

function brandGroup(brands: readonly Slugged[], hasApproved: boolean): NavGroup {
  const links = brands.map((one) => ({ label: one.name, to: "/search", search: ofBrand(one) }));
  const own = hasApproved ? [approved] : [];
  return { label: msg`Brands`, links: [...own, ...links, { label: msg`View All`, to: "/search" }] };
}
