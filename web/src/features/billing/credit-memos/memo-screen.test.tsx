import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { begin } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { showPage } from "~/testing/show";
import { CreditMemoScreen } from "./memo-screen";
import type { CreditMemo } from "./queries";

const usd = (amount: number) => ({ amount, currency: "USD" as const });
const PDF = "/v1/credit-memos/CM-7/credit-memo.pdf";

afterEach(() => vi.restoreAllMocks());

test("a credit memo is kept as a PDF, and waited for no longer than any call", async () => {
  const memo: Partial<CreditMemo> = {
    number: "CM-7",
    create_date: "2026-11-20",
    reason: "Returned goods",
    invoiceNumber: null,
    total: usd(30),
    applied: usd(0),
    balance: usd(30),
    appliedTo: [],
  };
  const limits = vi.spyOn(AbortSignal, "timeout");
  const asked: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const { pathname } = new URL((request as Request).url);
    asked.push(pathname);
    return pathname === PDF ? new Response("%PDF-") : Response.json({ results: [memo] });
  });
  const kept: string[] = [];
  URL.createObjectURL = () => "blob:memo";
  URL.revokeObjectURL = () => undefined;
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    kept.push(this.download);
  });
  begin(aPerson({ purchasing_rights: true }), "t");
  await showPage(<CreditMemoScreen id="CM-7" />);
  const keep = await screen.findByRole("button", { name: "Download as PDF" });
  limits.mockClear();
  await userEvent.click(keep);
  await waitFor(() => expect(kept).toEqual(["credit-memo-CM-7.pdf"]));
  expect(asked.filter((path) => path === PDF)).toHaveLength(1);
  expect(limits.mock.calls).toEqual([[4000]]);
});
