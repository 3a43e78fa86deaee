import { client, type Schemas } from "~/shared/api/client";
import { newKey } from "~/shared/api/idempotency";
import type { Cart } from "~/shared/cart/queries";
import type { PaymentChoice } from "~/shared/payments/types";

type Call = Promise<{ data?: Cart; error?: unknown; response: Response }>;

/** A change of the cart's draft; the answer is the cart as it is then. */
export type DraftChange = (token: string) => Call;

const to = (token: string) => ({ path: { token } });
const headers = () => ({ "Idempotency-Key": newKey() });

export const shipTo =
  (shippingAddressId: string): DraftChange =>
  (token) =>
    client.POST("/api/products-checkout/{token}/update-b2b-shipping-address", {
      params: to(token),
      body: { shippingAddressId },
      headers: headers(),
    });

export const shipBy =
  (shippingMethodId: string): DraftChange =>
  (token) =>
    client.POST("/api/products-checkout/{token}/update-shipping-method", {
      params: to(token),
      body: { shippingMethodId },
      headers: headers(),
    });

export const billTo =
  (to_: { billingAddressId: string } | { billingAddress: Schemas["BillTo"] }): DraftChange =>
  (token) =>
    client.POST("/api/products-checkout/{token}/update-b2b-billing-address", {
      params: to(token),
      body: to_,
      headers: headers(),
    });

/** An empty one takes the entered one away. */
export const enterCoupon =
  (code: string): DraftChange =>
  (token) =>
    client.POST("/v1/carts/{token}/coupon", {
      params: to(token),
      body: { code },
      headers: headers(),
    });

/** The gateway follows the type. */
export const payBy =
  ({ type, method_id }: PaymentChoice): DraftChange =>
  (token) =>
    client.POST("/api/products-checkout/{token}/set-b2b-payment", {
      params: to(token),
      body: { gateway: type === "CARD" ? "CARD" : "ACH_COD", type, methodId: method_id },
      headers: headers(),
    });
