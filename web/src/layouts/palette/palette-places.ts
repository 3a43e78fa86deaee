import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { Schemas } from "~/shared/api/client";
import { opens } from "~/shared/navigation/guard";
import { isOn, type SiteAnswer } from "~/shared/navigation/links";
import { type Screen, screenOf } from "~/shared/navigation/routes";
import type { Session } from "~/shared/session/session";

export type Named = Schemas["NamedThing"];

/** The least letters that are looked up. */
export const SHORTEST = 2;

/** Layouts without the choice of a business. */
const LONE = new Set<Screen["layout"]>(["no-auth", "blank", "print"]);

/** Whether a business can be chosen at an address. */
export function hasChoice(path: string): boolean {
  const screen = screenOf(path);
  return !screen || !LONE.has(screen.layout);
}

/** In the order in which they are shown. */
export const KIND_WORDS: Record<Named["kind"], MessageDescriptor> = {
  order: msg`Orders`,
  device: msg`Devices`,
  customer: msg`Customers`,
  business: msg`Businesses`,
  product: msg`Products`,
  person: msg`People`,
  invoice: msg`Invoices`,
  receipt: msg`Receipts`,
};

/** Pages that show one thing, named in the query. */
const NEVER = new Set(["/operations/run", "/operations/case"]);

const RENEW = /^(?:renew|renouveler)\s+/i;

/** What is looked up: with a verb before it, only what the verb can be done to. */
export function renewalIn(typed: string): { word: string; renews: boolean } {
  const word = typed.trim();
  return RENEW.test(word)
    ? { word: word.replace(RENEW, ""), renews: true }
    : { word, renews: false };
}

/** Where a thing is opened. Administrators have no business: what is of one is opened with its runs. */
export function placeOf({ kind, id, name }: Named, administers: boolean): string {
  const said = encodeURIComponent(id);
  switch (kind) {
    case "product":
      return `/product/${said}`;
    case "device":
    case "customer":
      return `/devices/${said}`;
    case "person":
      return `/operations/account?who=${said}`;
    case "order":
      if (!administers) return `/order/${said}`;
      break;
    case "receipt":
      if (!administers) return `/subscriptions/receipts?uuid=${said}`;
      break;
  }
  const subject = encodeURIComponent(kind === "order" ? name : id);
  return `/operations?shown=all&subject=${subject}`;
}

/** The address of a page that can be opened by itself and turns the person nowhere else, or nothing. */
export function placeIn(
  path: string,
  screen: Screen,
  now: Session,
  site: SiteAnswer | undefined,
): string | undefined {
  const { layout, above, guard: kept } = screen;
  const isPrivate = kept === "administrators";
  const to = path.replace("/{-$id}", "");
  if (to.includes("$") || (above && !isPrivate) || NEVER.has(to)) return undefined;
  if (layout === "no-auth")
    return to === (now.state === "anonymous" ? "/login" : "/logout") ? to : undefined;
  if (isPrivate && now.state === "anonymous") return undefined;
  return isOn(screen, site) && opens(screen, now, to) ? to : undefined;
}
