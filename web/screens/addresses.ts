export type Who = "visitor" | "owner" | "administrator";
/** `lands`: where it leads to whoever has not been elsewhere first. */
export type Address = { as: Who; to: string; lands?: string };

const visitor = (to: string): Address => ({ as: "visitor", to });
const owner = (to: string): Address => ({ as: "owner", to });
const administrator = (to: string): Address => ({ as: "administrator", to });

/**
 * Where each screen of the browser's list is looked at, and as whom; `{order}` and the like stand for one that is there
 * (`samples` of `opening.ts`). `addresses.test.ts` holds that none is missing.
 */
export const ADDRESSES: Readonly<Record<string, Address>> = {
  "/": owner("/"),
  "/login": visitor("/login"),
  "/offline": visitor("/offline"),
  "/logout": owner("/logout"),
  "/accept-invite": visitor("/accept-invite?token=none"),
  "/decline-invite": visitor("/decline-invite?token=none"),
  "/change-email-accept": visitor("/change-email-accept?token=none"),
  "/change-email-decline": visitor("/change-email-decline?token=none"),
  "/change-email-revert": visitor("/change-email-revert?token=none"),
  "/dealer-request": visitor("/dealer-request"),
  "/forgot-password": visitor("/forgot-password"),
  "/register": visitor("/register"),
  "/set-password": visitor("/set-password?token=none"),
  "/handout": visitor("/handout#{handout}"),
  "/pay": visitor("/pay#{payLink}"),
  "/privacy-policy": visitor("/privacy-policy"),
  "/return-policy": visitor("/return-policy"),
  "/activation": owner("/activation"),
  "/activation/select-activation-type": {
    ...owner("/activation/select-activation-type"),
    lands: "/activation",
  },
  "/activation/device": owner("/activation/device?id={activation}"),
  "/activation/handout": owner("/activation/handout?id={completed}"),
  "/company-info": visitor("/company-info"),
  "/contact-us": visitor("/contact-us"),
  "/shipping": visitor("/shipping"),
  "/terms": visitor("/terms"),
  "/search": owner("/search"),
  "/product/{-$id}": owner("/product/{product}"),
  "/deals": owner("/deals"),
  "/cart": owner("/cart"),
  "/cart/checkout/products": owner("/cart/checkout/products"),
  "/cart/checkout/products/complete": owner("/cart/checkout/products/complete"),
  "/subscriptions": owner("/subscriptions"),
  "/subscriptions/plans": owner("/subscriptions/plans"),
  "/subscriptions/receipts": owner("/subscriptions/receipts"),
  "/cart/checkout/subscriptions": owner("/cart/checkout/subscriptions"),
  "/cart/checkout/subscriptions/complete": owner("/cart/checkout/subscriptions/complete"),
  "/my-orders": owner("/my-orders"),
  "/order/{-$id}": owner("/order/{order}"),
  "/billing": owner("/billing"),
  "/invoice/{-$id}": owner("/invoice"),
  "/invoice-payment": owner("/invoice-payment"),
  "/invoice-payment/complete": owner("/invoice-payment/complete"),
  "/credit-memo/{-$id}": owner("/credit-memo"),
  "/statement": owner("/statement"),
  "/profile": owner("/profile"),
  "/my-business": owner("/my-business"),
  "/approvals/{-$id}": owner("/approvals"),
  "/team": owner("/team"),
  "/rewards": owner("/rewards"),
  "/rewards/$id": owner("/rewards/ivan"),
  "/devices": owner("/devices"),
  "/visits": owner("/visits"),
  "/visits/$id": owner("/visits/{visit}"),
  "/devices/$key": owner("/devices/{device}"),
  "/devices/$key/firmware": owner("/devices/{device}/firmware"),
  "/wiring": owner("/wiring?vehicle=2022,448,2469&slide=vehicle"),
  "/wiring/print": owner("/wiring/print?vehicle=2022,448,2469"),
  "/installer-guides": owner("/installer-guides"),
  "/audit": administrator("/audit"),
  "/operations": administrator("/operations"),
  "/operations/account": administrator("/operations/account?who=olivia"),
  "/operations/activations": administrator("/operations/activations"),
  "/operations/cases": administrator("/operations/cases"),
  "/operations/case": administrator("/operations/case?id={case}"),
  "/operations/erp": administrator("/operations/erp"),
  "/operations/run": administrator("/operations/run?kind=activation&id={activation}"),
};

/** The screens that are looked at as one kind of person, by their paths. */
export function screensOf(who: Who): string[] {
  return Object.keys(ADDRESSES).filter((path) => ADDRESSES[path]?.as === who);
}

/** A file's name for a screen. */
export function nameOf(path: string): string {
  return path.replaceAll(/[^a-z]+/gi, "-").replaceAll(/^-|-$/g, "") || "start";
}

export function filled(to: string, found: Record<string, string>): string {
  return to.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(found[name] ?? ""));
}
