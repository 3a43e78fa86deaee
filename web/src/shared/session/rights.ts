import type { Session } from "./session";

const HANDS = ["installer", "purchaser", "owner"];
const OWNERS_PEOPLE = [...HANDS, "consumer", "inside_rep", "outside_rep", "admin"];
const ACTIVATORS = [...HANDS, "inside_rep", "outside_rep", "admin"];

/** Whether the person has not retired (policy `ACTIVE`); whoever signs in yet may be anybody. */
export function notRetired(now: Session): boolean {
  return now.state === "anonymous" || !now.user.is_retired;
}

/** Whether the person has activations of their own (policy `list_activations`). */
export function activates(now: Session): boolean {
  return now.state !== "anonymous" && now.user.roles.some((role) => ACTIVATORS.includes(role));
}

/** Whether service visits are for the person (policy `list_visits`). */
export function readsVisits(now: Session): boolean {
  return now.state !== "anonymous" && now.user.roles.some((role) => OWNERS_PEOPLE.includes(role));
}

/** Whether the person may ask the owner of a device for one (policy `ask_visit`). */
export function asksForVisit(now: Session): boolean {
  return now.state !== "anonymous" && now.user.roles.some((role) => HANDS.includes(role));
}

/** Whether the person may let a weak device be updated (policy `overrule_firmware_run`). */
export function mayOverrule(now: Session): boolean {
  if (now.state === "anonymous") return false;
  return now.user.roles.some((role) => role === "owner" || role === "admin");
}

/** Whether the person reads the orders and documents of every business, and changes none (`reads_any_business`). */
export function readsOnly(now: Session): boolean {
  if (now.state === "anonymous") return false;
  return now.user.roles.includes("admin") && !now.user.purchasing_rights;
}

/** Whether the person may buy plans (`domain/plans/plans.py`, `check_may_buy_plans`); the server asks again. */
export function mayBuyPlans(now: Session): boolean {
  if (now.state !== "signed-in") return false;
  const { is_retired, is_outside_rep, purchasing_rights, is_b2c } = now.user;
  return !is_retired && !is_outside_rep && (purchasing_rights || is_b2c);
}

/** Whether the plans and receipts of a business are for the person (policy `PLAN_BUYERS`): outside reps have none. */
export function readsPlans(now: Session): boolean {
  return now.state !== "anonymous" && !now.user.is_retired && !now.user.is_outside_rep;
}

/** Whether the person may buy for a business (`domain/identity/people.py`, `purchasing_rights`); the server asks again. */
export function mayBuy(now: Session): boolean {
  return now.state !== "anonymous" && now.user.purchasing_rights;
}

/** Whether Quick Order is for the person: visitors may sign in, and nobody else without the right to buy can add a row. */
export function ordersBySku(now: Session): boolean {
  return now.state === "anonymous" || mayBuy(now);
}

/** Whether orders wait for the person, or are the person's and wait (policy `list_approvals`): reps neither ask nor answer. */
export function asksForApproval(now: Session): boolean {
  if (now.state === "anonymous" || now.user.dealer_id === null) return false;
  return mayBuy(now) && !now.user.is_sales_rep;
}

/** Whether the person answers what waits (policy `approve_order`): owners. */
export function answersApprovals(now: Session): boolean {
  return asksForApproval(now) && now.state !== "anonymous" && now.user.is_owner;
}

/** Whether the person manages what a business pays with (`domain/identity/people.py`, `may_manage_methods`). */
export function keepsMethods(now: Session): boolean {
  if (now.state === "anonymous") return false;
  const { is_retired, is_outside_rep, is_b2c } = now.user;
  return !is_retired && !is_outside_rep && (mayBuy(now) || is_b2c);
}

/** Whether a business is shown to the person with its money (`domain/partners/partners.py`, `sees_limited`). */
export function seesMoney(now: Session): boolean {
  if (now.state === "anonymous") return false;
  return mayBuy(now) || now.user.is_dealer_accountant || now.user.is_dealer_primary;
}

/** Whether the invoices and other documents of a business are for the person (`api/billing/invoices/queries.py`, `business_of`). */
export function readsDocuments(now: Session): boolean {
  if (now.state === "anonymous") return false;
  return !now.user.is_retired && (seesMoney(now) || now.user.is_b2c);
}

/**
 * Whether the pages of those who run a business are for the person: owners, and reps for the business they chose; nobody
 * who has retired.
 */
export function runsBusiness(now: Session): boolean {
  if (now.state === "anonymous") return false;
  return !now.user.is_retired && (now.user.is_owner || now.user.is_sales_rep);
}
