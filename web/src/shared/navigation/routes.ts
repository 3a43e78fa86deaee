import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { Schemas } from "~/shared/api/client";
import { SEARCH_KEYS } from "~/shared/constants";
import {
  asksForApproval,
  keepsMethods,
  mayBuy,
  notRetired,
  readsDocuments,
  readsPlans,
  readsVisits,
  runsBusiness,
} from "~/shared/session/rights";
import type { Session } from "~/shared/session/session";

export type Access = "login" | "optional" | "public";
type LayoutName = "default" | "dynamic-auth" | "task" | "checkout" | "blank" | "no-auth" | "print";

/** Who is sent elsewhere, besides visitors where a login is required. */
export type Guard =
  | "leave-when-signed-in"
  | "no-outside-rep-with-business"
  | "not-retired"
  | "administrators";

/** Parts of the portal that a site may have switched off. */
export type Feature = keyof Schemas["SiteAnswer"]["features"];

export type Screen = {
  title: MessageDescriptor;
  /** Another title while a key of the address is true. */
  titleWith?: { key: string; title: MessageDescriptor };
  access: Access;
  layout: LayoutName;
  guard?: Guard;
  /** Whom the page does not refuse; no link to it is offered to others who are signed in. */
  may?: (now: Session) => boolean;
  /** The page is not there where this is switched off, and no link to it is offered. */
  feature?: Feature;
  /** The screens above this one in the breadcrumb trail, outermost first. */
  above?: readonly string[];
  /** The page's meta description; that of the start page without one. */
  description?: MessageDescriptor;
  /** Shows a link back in the plain top bar. */
  backLink?: boolean;
};

const page = (title: MessageDescriptor, more: Partial<Screen> = {}): Screen => ({
  title,
  access: "optional",
  layout: "dynamic-auth",
  ...more,
});
const task = (title: MessageDescriptor, more: Partial<Screen> = {}): Screen =>
  page(title, { layout: "task", ...more });
const plain = (title: MessageDescriptor, more: Partial<Screen> = {}): Screen =>
  page(title, { access: "public", layout: "no-auth", backLink: true, ...more });

/**
 * Every screen there is, by the path of its route. A screen that is not here does not exist: its address answers
 * Page Not Found, and the menus leave it out.
 */
export const SCREENS: Readonly<Record<string, Screen>> = {
  "/": page(msg`Dashboard`, {
    description: msg`The portal for dealers and installers: activate devices, find wiring, order hardware and plans.`,
  }),
  "/login": plain(msg`Login`, {
    guard: "leave-when-signed-in",
    backLink: false,
    description: msg`Log in to the portal for dealers and installers.`,
  }),
  "/offline": plain(msg`Reading offline`),
  "/logout": plain(msg`Logout`, { backLink: false }),
  "/accept-invite": plain(msg`Accept Invitation`),
  "/decline-invite": plain(msg`Decline Invitation`),
  "/change-email-accept": plain(msg`Confirm Email Change`),
  "/change-email-decline": plain(msg`Decline Email Change`),
  "/change-email-revert": plain(msg`This Was Not Me`),
  "/dealer-request": plain(msg`Dealer Request`),
  "/forgot-password": plain(msg`Forgot Password`),
  "/register": plain(msg`Register`),
  "/set-password": plain(msg`Set Password`),
  "/handout": plain(msg`Your Vehicle`, { backLink: false }),
  "/pay": plain(msg`Pay an Invoice`, { backLink: false }),
  "/privacy-policy": page(msg`Privacy Policy`, { access: "public", layout: "default" }),
  "/return-policy": page(msg`Return Policy`, { access: "public", layout: "default" }),
  "/activation": task(msg`Set Serial Number`, {
    may: notRetired,
    description: msg`Activate a device in a vehicle, step by step.`,
  }),
  "/activation/select-activation-type": task(msg`Activation Type`, { above: ["/activation"] }),
  "/activation/device": task(msg`Activate Device`, { above: ["/activation"] }),
  "/activation/handout": task(msg`For the Car's Owner`, { above: ["/activation"] }),
  "/company-info": page(msg`Company Info`),
  "/contact-us": page(msg`Contact Us`),
  "/shipping": page(msg`Shipping`),
  "/terms": page(msg`Terms & Conditions`),
  "/search": page(msg`Products`, {
    description: msg`Remote starters, security and telematics, by name, SKU, brand or category.`,
    titleWith: { key: SEARCH_KEYS.quickOrder, title: msg`Quick Order` },
  }),
  "/product/{-$id}": page(msg`Product`, { above: ["/search"] }),
  "/deals": page(msg`Deals`),
  "/cart": page(msg`Cart`, { access: "login", may: notRetired }),
  "/cart/checkout/products": page(msg`Purchase Products`, {
    access: "login",
    layout: "checkout",
    above: ["/cart"],
  }),
  "/cart/checkout/products/complete": page(msg`Order Complete`, {
    access: "login",
    layout: "checkout",
    above: ["/cart"],
  }),
  "/subscriptions": page(msg`Pricing Plans`, {
    access: "login",
    guard: "no-outside-rep-with-business",
    may: readsPlans,
  }),
  "/subscriptions/plans": page(msg`Choose a Plan`, {
    access: "login",
    guard: "no-outside-rep-with-business",
    above: ["/subscriptions"],
  }),
  "/subscriptions/receipts": page(msg`Receipts`, {
    access: "login",
    guard: "no-outside-rep-with-business",
    may: readsPlans,
    above: ["/subscriptions"],
  }),
  "/cart/checkout/subscriptions": page(msg`Purchase Service`, {
    access: "login",
    layout: "checkout",
    guard: "no-outside-rep-with-business",
    above: ["/cart"],
  }),
  "/cart/checkout/subscriptions/complete": page(msg`Order Complete`, {
    access: "login",
    layout: "checkout",
    above: ["/cart"],
  }),
  "/my-orders": page(msg`My Orders`, { access: "login", may: mayBuy }),
  "/order/{-$id}": page(msg`Order`, { access: "login", above: ["/my-orders"] }),
  "/billing": page(msg`Billing`, { access: "login", may: readsDocuments }),
  "/invoice/{-$id}": page(msg`Invoices`, { access: "login", may: readsDocuments }),
  "/invoice-payment": page(msg`Pay Invoices`, {
    access: "login",
    may: keepsMethods,
    above: ["/invoice/{-$id}"],
  }),
  "/invoice-payment/complete": page(msg`Invoice Payment`, {
    access: "login",
    may: keepsMethods,
    above: ["/invoice/{-$id}"],
  }),
  "/credit-memo/{-$id}": page(msg`Credit memos`, { access: "login", may: readsDocuments }),
  "/statement": page(msg`Statement of account`, { access: "login", may: readsDocuments }),
  "/profile": page(msg`My Profile`, { access: "login", guard: "no-outside-rep-with-business" }),
  "/my-business": page(msg`My Business`, {
    access: "login",
    guard: "no-outside-rep-with-business",
    may: runsBusiness,
  }),
  "/approvals/{-$id}": page(msg`Approvals`, { access: "login", may: asksForApproval }),
  "/team": page(msg`Team at work`, {
    access: "login",
    guard: "no-outside-rep-with-business",
    may: runsBusiness,
  }),
  "/rewards": page(msg`Rewards`, {
    access: "login",
    guard: "no-outside-rep-with-business",
    may: notRetired,
  }),
  "/rewards/$id": page(msg`Employee Rewards`, {
    access: "login",
    guard: "no-outside-rep-with-business",
    above: ["/rewards"],
  }),
  "/devices": page(msg`Devices`, { access: "login", guard: "not-retired" }),
  "/visits": page(msg`Service visits`, {
    access: "login",
    guard: "not-retired",
    may: readsVisits,
    above: ["/devices"],
  }),
  "/visits/$id": page(msg`Service visit`, {
    access: "login",
    guard: "not-retired",
    above: ["/devices", "/visits"],
  }),
  "/devices/$key": page(msg`Device`, {
    access: "login",
    guard: "not-retired",
    above: ["/devices"],
  }),
  "/devices/$key/firmware": task(msg`Firmware update`, {
    access: "login",
    guard: "not-retired",
    above: ["/devices", "/devices/$key"],
  }),
  "/wiring": page(msg`Wiring`, { access: "login", feature: "wiring_diagrams" }),
  "/wiring/print": page(msg`Print wiring`, {
    access: "login",
    layout: "print",
    feature: "wiring_diagrams",
    above: ["/wiring"],
  }),
  "/installer-guides": page(msg`Installer Guides`, { access: "login" }),
  "/audit": page(msg`Audit`, { access: "login", guard: "administrators" }),
  "/operations": page(msg`Operations`, { access: "login", guard: "administrators" }),
  "/operations/account": page(msg`Account`, {
    access: "login",
    guard: "administrators",
    above: ["/operations"],
  }),
  "/operations/activations": page(msg`Activations at work`, {
    access: "login",
    guard: "administrators",
    above: ["/operations"],
  }),
  "/operations/cases": page(msg`Cases`, {
    access: "login",
    guard: "administrators",
    above: ["/operations"],
  }),
  "/operations/case": page(msg`Case`, {
    access: "login",
    guard: "administrators",
    above: ["/operations", "/operations/cases"],
  }),
  "/operations/erp": page(msg`Compared with the ERP`, {
    access: "login",
    guard: "administrators",
    above: ["/operations"],
  }),
  "/operations/run": page(msg`Run`, {
    access: "login",
    guard: "administrators",
    above: ["/operations"],
  }),
};

/** A route's path as the registry writes it: `/activation/` is `/activation`. */
export function bare(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, "") : path;
}

/** The screen of a route's path, or of an address: a screen with a name of its own before one that a pattern fits. */
export function screenOf(path: string): Screen | undefined {
  const asked = bare(path);
  const pattern = Object.hasOwn(SCREENS, asked)
    ? asked
    : Object.keys(SCREENS).find((one) => one.includes("$") && fits(one, asked));
  return pattern === undefined ? undefined : SCREENS[pattern];
}

/** Whether an address is one of a screen; `$id` in the registry stands for one segment, `{-$id}` for one or none. */
export function isKnown(href: string): boolean {
  const path = bare(href.split(/[?#]/, 1)[0] ?? "/");
  return Object.keys(SCREENS).some((pattern) => fits(pattern, path));
}

function fits(pattern: string, path: string): boolean {
  const wanted = pattern.split("/");
  const given = path.split("/");
  const least = wanted.filter((part) => !part.startsWith("{-$")).length;
  if (given.length < least || given.length > wanted.length) return false;
  return given.every((part, place) => {
    const against = wanted[place] ?? "";
    return against.startsWith("$") || against.startsWith("{-$") ? part !== "" : part === against;
  });
}

/** `search` is what its address carries beside the path: the slide of a vehicle (shell spec 3). */
export type Crumb = { label: MessageDescriptor; to: string; search?: object };

/** The trail to a screen, itself last. */
export function trail(path: string): Crumb[] {
  const given = bare(path).split("/");
  const filled = (above: string) =>
    above
      .split("/")
      .map((part, at) => (part.startsWith("$") ? given[at] : part))
      .join("/");
  return [...(screenOf(path)?.above ?? []).map(filled), bare(path)].flatMap((to) => {
    const screen = screenOf(to);
    return screen ? [{ label: screen.title, to }] : [];
  });
}

/** What a screen is called with this query in its address. */
export function titleOf({ title, titleWith }: Screen, query: Record<string, unknown>) {
  return titleWith && query[titleWith.key] === "true" ? titleWith.title : title;
}
