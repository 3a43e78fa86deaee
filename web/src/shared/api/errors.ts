import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { CONSTANTS } from "~/shared/constants";
import { AMBIGUOUS, RUN_WORDS } from "./run-words.gen";
import type { components } from "./schema.gen";

/** The codes of the API's refusals, by its document. */
export type ErrorCode = components["schemas"]["ErrorCode"];

export type FieldFault = { field: string; message: string };

/** The body of every refusal (RFC 9457), or what stands in for it when no answer came. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly reference: string | undefined;
  readonly fields: readonly FieldFault[];
  /** What lies behind the text, by a stable word: why a password is refused. */
  readonly reason: string | undefined;
  /** The kind of run that refuses: the same code may mean something else in another. */
  readonly run: string | undefined;
  /** Seconds until the refusal ends, where the answer says so. */
  readonly retryAfter: number | undefined;

  constructor(status: number, body: unknown, retryAfter?: string | null) {
    const held = (typeof body === "object" && body !== null ? body : {}) as Partial<{
      code: string;
      detail: string;
      instance: string;
      validation_errors: FieldFault[];
      reason: string;
      flow: { kind?: string } | null;
    }>;
    const detail = typeof held.detail === "string" && held.detail ? held.detail : FALLBACK;
    super(detail);
    this.status = status;
    this.code = held.code ?? "unexpected";
    this.detail = detail;
    this.reference = held.instance;
    this.fields = held.validation_errors ?? [];
    this.reason = held.reason;
    this.run = held.flow?.kind;
    this.retryAfter = Number(retryAfter) || undefined;
  }

  /** A fault of ours, about which support is asked by its reference. */
  get unexpected(): boolean {
    return this.code === "unexpected" || this.status >= 500;
  }

  /** No answer, or an outside system that does not answer: the same request may be sent again. */
  get passing(): boolean {
    return this.code === "unreachable" || this.status === 429 || this.status >= 502;
  }
}

/** The fallback alert of the specs. */
export const FALLBACK = "Unexpected Error. Please try again later.";

export function problemOf(cause: unknown): Problem {
  if (cause instanceof Problem) return cause;
  return new Problem(CONSTANTS.defaultErrorStatus, {
    code: "unreachable",
    detail: "We could not reach Turnkey.",
  });
}

/** Messages by stable code; a code without an entry shows the server's own (English) text. */
const OF_RUNS: Partial<Record<string, MessageDescriptor>> = Object.fromEntries(
  Object.values(RUN_WORDS)
    .flatMap((words) => Object.entries(words))
    .filter(([code]) => !AMBIGUOUS.includes(code)),
);

const WORDS = {
  unexpected: msg`Unexpected Error. Please try again later.`,
  unavailable: msg`Unexpected Error. Please try again later.`,
  unreachable: msg`We could not reach Turnkey. Nothing you entered is lost.`,
  invalid_credentials: msg`Invalid Password/Email`,
  incomplete: msg`Please complete all fields`,
  unconfirmed: msg`New account setup not complete. Please check email for next steps.`,
  reset_required: msg`Account locked. Please reset password.`,
  not_an_installer: msg`Invalid Installer Account. Please activate as guest.`,
  too_many_attempts: msg`Attempt limit exceeded, please try after some time.`,
  malformed_device_key: msg`This serial number is not valid. Please check the label on the device.`,
  unknown_device: msg`We could not find this device. Please check the serial number and the SIM digits.`,
  device_too_weak: msg`The device is too weak to update.`,
  firmware_up_to_date: msg`The firmware is up to date`,
  may_not_overrule: msg`Only an owner of the business may overrule a weak reading.`,
  service_mode_required: msg`The device is not currently in Service Mode`,
  throttled: msg`Attempt limit exceeded, please try after some time.`,
  purchase_ended: msg`This purchase has ended. You can choose a plan again, or skip this step.`,
  purchase_cancelled: msg`The plan was not bought. You can choose one again, or skip this step.`,
  purchase_rejected: msg`The plan was not approved. You can choose one again, or skip this step.`,
  purchase_expired: msg`The plan was not bought. You can choose one again, or skip this step.`,
  purchase_confirmed: msg`The plan was not bought. You can choose one again, or skip this step.`,
  type_not_applicable: msg`This device cannot be activated that way. Please choose another activation type.`,
  own_device: msg`This device belongs to your business. You can work on it without asking.`,
  nobodys_device: msg`This device belongs to no business. You can work on it without asking.`,
  device_in_use: msg`This device is being activated already.`,
  too_many_open: msg`Too many activations are unfinished. Please finish or leave some of them first.`,
  no_answer: msg`The device did not answer in time. Check its power and signal, then try again.`,
  device_offline: msg`The device is offline. Check its power and signal, then try again.`,
  not_swappable: msg`These devices cannot be swapped. The new one must not have been activated before.`,
  no_option_tables: msg`This controller has no option tables.`,
  option_invalid: msg`Please check the marked options.`,
  options_changed: msg`The options of this device were changed elsewhere. Please look again.`,
  special_row_needs_query: msg`The device refused the special rows, also after it was asked. Change or undo them, then write again.`,
  feature_refused: msg`The device refused the change.`,
  no_keylocker: msg`The device has no KeyLocker.`,
  pin_refused: msg`The KeyLocker did not take the pin.`,
  pin_in_use: msg`The two pins must differ.`,
  pin_gone: msg`Please enter the pin again.`,
  no_such_pin: msg`There is no secondary pin.`,
  wrong_master_pin: msg`The master pin is not right.`,
  hardwire_not_supported: msg`This device has no hardwired lines.`,
  hardwire_refused: msg`The device refused the lines.`,
  installer_not_linked: msg`The installer could not be linked. Please try again, or skip this step.`,
  vin_missing: msg`Please provide a vehicle VIN number to continue`,
  vin_malformed: msg`Unable to find a vehicle using this vin. Please check your vin for accuracy or search by year, make, and model.`,
  vin_incomplete: msg`Unable to find a vehicle using this vin. Please check your vin for accuracy or search by year, make, and model.`,
  category_missing: msg`No data available. Please try again using a different vehicle.`,
  folder_missing: msg`Not Found`,
  no_vehicle_data: msg`No data available. Please try again using a different vehicle.`,
  vin_search_unavailable: msg`Vin searching is currently unavailable. Please try again later or search by year, make, and model.`,
  code_mismatch: msg`Invalid verification code provided, please try again.`,
  user_not_found: msg`User not found`,
  wrong_password: msg`Password invalid`,
  password_invalid: msg`Password invalid`,
  passwords_differ: msg`Passwords do not match`,
  mfa_unavailable: msg`Multi-factor authentication is not available.`,
  mfa_in_use: msg`Please turn off multi-factor authentication first.`,
  no_verified_phone: msg`Please verify your phone number first.`,
  invalid: msg`Invalid Request`,
  invalid_token: msg`Invalid JWT token`,
  token_expired: msg`Your session has expired. Please sign in again.`,
  signed_out: msg`You have been signed out. Please sign in again.`,
  forbidden: msg`You do not have permission to do this.`,
  partner_missing: msg`Unexpected error. Please try again later.`,
  no_dealer_account: msg`Business parter does not have an associated dealer account.`,
  no_dealer_primary: msg`The business you selected does not have a dealer primary account. Please note that in order to impersonate said business, it is mandatory that they have an associated dealer account.`,
  nobody_to_remind: msg`Nobody can be reminded of this activation. Take it over, or hand it to somebody.`,
  last_owner: msg`A business needs an owner. Make somebody else an owner first.`,
  retired_owner: msg`Somebody who is retired cannot become an owner.`,
  installer_id_required: msg`Installer ID is required`,
  wrong_channel: msg`These prices are not those of your business. Please reload the page.`,
  acting_for_business: msg`Clear the selected business first.`,
  bot_check_failed: msg`We could not confirm that you are not a robot. Please try again.`,
  identity_mismatch: msg`Somebody else has signed in with this browser. Please reload the page.`,
  credentials_changed: msg`Login credentials need to be refreshed after a recent change. Please sign in again.`,
  email_taken: msg`This email address is in use.`,
  order_spent: msg`This order was cancelled. Please order again from your cart.`,
  run_still_open: msg`This run is still open. Have it tried again, or say how it was settled.`,
  already_works_here: msg`This person already works at your business.`,
  business_needed: msg`Please select a business first.`,
  no_linked_business: msg`Unable to add the item(s) to the cart. No linked business account.`,
  stale_cart: msg`This cart has been replaced by a newer one. Nothing is lost: choose what to keep.`,
  invoices_refused: msg`Some of the invoices or credit memos cannot be paid like this. Please check them.`,
  may_not_pay_invoices: msg`You do not have the right to pay invoices.`,
  invoice_payment_type_refused: msg`Invoices are paid by card or from a bank account.`,
  invoice_payment_method_refused: msg`This payment method cannot be used. Please choose another one.`,
  invoice_figures_changed: msg`The invoices have changed. Please check the new figures.`,
  cart_missing: msg`This cart is not there any more. Please look again.`,
  cart_line_missing: msg`This product is not in the cart any more.`,
  no_purchasing_rights: msg`You do not have purchasing rights. Please ask the owner of your business.`,
  lines_refused: msg`Some of the items cannot be added to the cart.`,
  article_unknown: msg`This product does not exist.`,
  not_for_purchase: msg`This product is not available for purchase.`,
  no_price: msg`This product has no price. Please ask your sales rep.`,
  too_many_pieces: msg`At most 9,999 pieces of a product fit in a cart.`,
  cart_full: msg`At most 1,000 products fit in a cart.`,
  shipping_method_missing: msg`This shipping method is not available.`,
  shipping_address_missing: msg`This shipping address is not available.`,
  billing_address_missing: msg`This billing address is not available.`,
  gateway_mismatch: msg`This payment type is not handled by this gateway.`,
  empty_cart: msg`Your cart is empty.`,
  lines_faulty: msg`Some of the items cannot be ordered any more. Please remove them from your cart.`,
  shipping_missing: msg`Please choose a shipping address and a shipping method.`,
  account_blocked: msg`Your account is on hold. Please ask your sales rep.`,
  billing_missing: msg`Please enter a billing address.`,
  po_number_missing: msg`Your business wants a PO number with each order. Please enter one.`,
  still_asking: msg`This takes longer than usual. Please try again in a moment.`,
  no_default_pin: msg`There is no default pin. Please enter one.`,
  payment_missing: msg`Please choose a payment method.`,
  payment_not_allowed: msg`This payment method cannot be used for this order.`,
  PARTIAL_PAYMENT_NOT_ALLOWED: msg`The payment does not cover the total of this order. Partial payments are not allowed.`,
  AMOUNT_ABOVE_TOTAL: msg`The payment is above the total of this order. Please check your order again.`,
  over_credit_limit: msg`This order is above the credit that is left on your account. Please choose another payment method or ask your sales rep.`,
  over_order_limit: msg`This order is above what you may order at once. Please ask an owner of your business.`,
  over_month_limit: msg`This order is above what you may order this month. Please ask an owner of your business.`,
  approval_expired: msg`Nobody approved the order in time. Your cart is back.`,
  approval_rejected: msg`The order was not approved. Your cart is back.`,
  not_own_purchase: msg`A colleague began this purchase. Please ask for the price yourself.`,
  owners_unlimited: msg`Owners have no limits.`,
  quote_changed: msg`Prices or stock have changed. Please check your order again.`,
  stock_changed: msg`The stock has changed. Please check your order again.`,
  cart_in_placement: msg`This cart is being ordered and cannot be changed.`,
  business_changed: msg`You cannot order for this business any more.`,
  order_refused: msg`Your order could not be accepted. Please ask your sales rep.`,
  payment_unclear: msg`Nobody can tell yet what became of the payment. We look after it; you are not charged twice.`,
  hand_over_unclear: msg`The order could not be handed over yet. We look after it.`,
  capture_unclear: msg`The payment could not be taken yet. We look after it.`,
  undoing_unclear: msg`Not everything could be taken back yet. We look after it.`,
  order_missing: msg`We could not find this, or it is not yours.`,
  plan_missing: msg`This plan does not exist.`,
  too_many_plans: msg`At most 100 devices fit in one purchase of plans.`,
  too_many_lines: msg`At most 100 devices fit in one purchase of plans.`,
  may_not_buy_plans: msg`You do not have permission to buy plans.`,
  payment_type_refused: msg`Plans are paid by card or from a bank account.`,
  address_needed: msg`An address is needed to work out the taxes.`,
  quote_expired: msg`This quote has expired. Please ask for a new one.`,
  same_device_twice: msg`A device can be in a purchase only once.`,
  too_many_rows: msg`A quick order has at most 1,000 rows. Nothing was read; please split it.`,
  no_rows: msg`There is no row with a SKU.`,
  unreadable_file: msg`This file cannot be read. Please save it as CSV or XLSX and try again.`,
  too_large: msg`This is too large: at most 1 MB.`,
  no_updates: msg`Updates object is required`,
  card_expiry_invalid: msg`Card expiry invalid`,
  payment_method_not_ready: msg`This bank account has to be verified first.`,
  payment_method_missing: msg`This payment method is not there any more. Please look again.`,
  payment_methods_forbidden: msg`You do not have permission to manage payment methods.`,
  card_id_missing: msg`Card id is a required field`,
  raw_cards_off: msg`Card numbers are not taken here. Please use the card form of the payment provider.`,
  user_id_required: msg`User id is a required field`,
  provider_unavailable: msg`Unexpected Error. Please try again later.`,
  provider_busy: msg`Unexpected Error. Please try again later.`,
  page_not_found: msg`The page you are looking for does not exist.`,
  not_found: msg`We could not find this, or it is not yours.`,
  unauthenticated: msg`Please sign in to continue.`,
} satisfies Partial<Record<ErrorCode | "unreachable", MessageDescriptor>>;

/** The words for a code, if we have any; otherwise the detail as it came. */
export function wordsFor(problem: {
  code: string;
  detail: string;
  run?: string | undefined;
}): MessageDescriptor | string {
  const words: Partial<Record<string, MessageDescriptor>> = WORDS;
  const own = problem.run === undefined ? undefined : RUN_WORDS[problem.run]?.[problem.code];
  return own ?? words[problem.code] ?? OF_RUNS[problem.code] ?? problem.detail;
}
