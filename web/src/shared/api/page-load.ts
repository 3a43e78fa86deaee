import { Problem, problemOf } from "./errors";

/** A page of a list did not come: the one error of every list (shop spec 8). The same page may be asked for again. */
export class PageLoadFailure extends Problem {
  constructor({ status, code, detail, reference, fields, reason, retryAfter }: Problem) {
    const body = { code, detail, instance: reference, validation_errors: fields, reason };
    super(status, body, retryAfter === undefined ? null : String(retryAfter));
  }
}

/** The page, or a PageLoadFailure. */
export async function pageOf<T>(page: Promise<T>): Promise<T> {
  try {
    return await page;
  } catch (cause) {
    throw new PageLoadFailure(problemOf(cause));
  }
}
