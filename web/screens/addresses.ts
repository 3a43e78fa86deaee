import type { Page } from "@playwright/test";

export type Who = "visitor" | "owner" | "administrator";
type Address = { as: Who; to: string };

const visitor = (to: string): Address => ({ as: "visitor", to });
const owner = (to: string): Address => ({ as: "owner", to });
const administrator = (to: string): Address => ({ as: "administrator", to });

/**
 * Where each screen of the browser's list is looked at, and as whom; `{order}` and the like stand for one that is there
 * (`samples`). `addresses.test.ts` holds that none is missing.
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
  "/handout": visitor("/handout?token=none"),
  "/pay": visitor("/pay?token=none"),
  "/privacy-policy": visitor("/privacy-policy"),
  "/return-policy": visitor("/return-policy"),
  "/activation": owner("/activation"),
  "/activation/select-activation-type": owner("/activation/select-activation-type"),
  "/activation/device": owner("/activation/device?id={activation}"),
  "/activation/handout": owner("/activation/handout?id={activation}"),
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
  "/visits/$id": owner("/visits/none"),
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
  "/operations/case": administrator("/operations/case?id=none"),
  "/operations/erp": administrator("/operations/erp"),
  "/operations/run": administrator("/operations/run?kind=activation&id={activation}"),
};

/** The addresses of one kind of person, by the screen's path. */
export function addressesOf(who: Who): [string, string][] {
  return Object.entries(ADDRESSES).flatMap(([path, { as, to }]) =>
    as === who ? [[path, to] as [string, string]] : [],
  );
}

/** A file's name for a screen. */
export function nameOf(path: string): string {
  return path.replaceAll(/[^a-z]+/gi, "-").replaceAll(/^-|-$/g, "") || "start";
}

type Listed = { results: { id: string; device_key?: string | null }[] };

/** One of each that an address names, as this owner sees them. */
export async function samples(
  page: Page,
  owner: { username: string; password: string },
): Promise<Record<string, string>> {
  const signedIn = await page.request.post("/v1/auth/sign-in", { data: owner });
  const { access_token } = (await signedIn.json()) as { access_token: string };
  const headers = { Authorization: `Bearer ${access_token}` };
  const start = await page.request.get("/v1/start-page?scope=dealer", { headers });
  const { activations } = (await start.json()) as { activations: Listed };
  const activation = activations.results[0];
  const orders = await page.request.post("/api/order-transactions", { headers, data: {} });
  const order = ((await orders.json()) as Listed).results[0];
  const search = await page.request.post("/api/search-products", { headers, data: {} });
  const product = ((await search.json()) as Listed).results[0];
  return {
    activation: activation?.id ?? "none",
    device: activation?.device_key ?? "FT-X1-00000042",
    order: order?.id ?? "none",
    product: product?.id ?? "",
  };
}

export function filled(to: string, found: Record<string, string>): string {
  return to.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(found[name] ?? ""));
}
