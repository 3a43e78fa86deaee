import { vi } from "vitest";

const MONEY = {
  accountBalance: 1234.5,
  creditLimit: 20_000,
  availableCredit: 18_765.5,
  pastDueInvoices: 2,
  invoices: { totalCount: 31 },
  insideSalesRep: null,
  outsideSalesRep: [],
};

/** A server that tells what the business owes, or for whoever sees it without its money only that; all else
 * it never tells. */
export function tellingAccount(isLimited: boolean) {
  return vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) => {
    const { pathname } = new URL((asked as Request).url);
    if (pathname.startsWith("/api/business-partners/"))
      return Response.json(isLimited ? { limited: true } : MONEY);
    return new Promise<Response>(() => undefined);
  });
}
