import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { Schemas } from "~/shared/api/client";
import { opens } from "~/shared/navigation/guard";
import type { Screen } from "~/shared/navigation/routes";
import type { Session } from "~/shared/session/session";

export type Named = Schemas["NamedThing"];

/** The least letters that are looked up. */
export const SHORTEST = 2;

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

/** Pages that can be opened by themselves and that turn the person nowhere else. */
export function isPlace(path: string, screen: Screen, now: Session): boolean {
  const { layout, above, guard: kept } = screen;
  const isPrivate = kept === "administrators";
  if (path.includes("$") || (above && !isPrivate) || path === "/operations/run") return false;
  if (isPrivate && above && path.endsWith("/case")) return false;
  if (layout === "no-auth") return path === (now.state === "anonymous" ? "/login" : "/logout");
  return opens(screen, now, path) && !(isPrivate && now.state === "anonymous");
}
