import { msg } from "@lingui/core/macro";
import { CONSTANTS } from "~/shared/constants";
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
  /** The number of the order that is in the way. */
  readonly order: string | undefined;
  /** The kind of run that refuses: the same code may mean something else in another. */
  readonly run: string | undefined;
  /** Seconds until the refusal ends, where the answer says so. */
  readonly retryAfter: number | undefined;

  constructor(status: number, body: unknown, retryAfter?: string | null, statusText?: string) {
    const held = (typeof body === "object" && body !== null ? body : {}) as Partial<{
      code: string;
      detail: string;
      instance: string;
      validation_errors: FieldFault[];
      reason: string;
      order: string;
      flow: { kind?: string } | null;
    }>;
    const detail =
      said(held.detail) ?? said(body) ?? (statusText ? `${status} (${statusText})` : FALLBACK);
    super(detail);
    this.status = status;
    this.code = held.code ?? "unexpected";
    this.detail = detail;
    this.reference = held.instance;
    this.fields = held.validation_errors ?? [];
    this.reason = held.reason;
    this.order = held.order;
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

/** A text that people can read; what stands in the place of our server may answer with a page of its own. */
function said(text: unknown): string | undefined {
  return typeof text === "string" && /^[^<]/.test(text) ? text : undefined;
}

/** The fallback alert of the specs. */
export const FALLBACK = "Unexpected Error. Please try again later.";

/** Stands in the page itself: without a network nothing more can be fetched. */
export const UNREACHABLE = msg`We could not reach Turnkey. Nothing you entered is lost.`;

export function problemOf(cause: unknown): Problem {
  if (cause instanceof Problem) return cause;
  return new Problem(CONSTANTS.defaultErrorStatus, { code: "unreachable" });
}
