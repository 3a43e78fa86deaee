import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { begin } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { A_CASE } from "~/testing/runs/a-case";
import { showPage } from "~/testing/show";
import { CreditMemoScreen } from "./memo-screen";
import type { CreditMemo } from "./queries";

const usd = (amount: number) => ({ amount, currency: "USD" as const });
const PDF = "/v1/credit-memos/CM-7/credit-memo.pdf";

const MEMO: Partial<CreditMemo> = {
  number: "CM-7",
  create_date: "2026-11-20",
  reason: "Returned goods",
  invoiceNumber: null,
  total: usd(30),
  applied: usd(0),
  balance: usd(30),
  appliedTo: [],
};

afterEach(() => vi.restoreAllMocks());

test("what happened to the money of its payment stands on a credit memo", async () => {
  const back = { ...A_CASE, cause: "chargeback", is_open: true };
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const { pathname } = new URL((request as Request).url);
    const results = pathname === "/v1/credit-memos/CM-7/cases" ? [back] : [MEMO];
    return Response.json({ results });
  });
  begin(aPerson({ purchasing_rights: true }), "t");
  await showPage(<CreditMemoScreen id="CM-7" />);
  expect(await screen.findByRole("region", { name: "Your money" })).toBeVisible();
  expect(screen.getByText("Returned goods")).toHaveAttribute("lang", "en");
  expect(screen.getByText("A bank took the payment back for the holder of the card")).toBeVisible();
});

test("a credit memo is kept as a PDF, and waited for no longer than any call", async () => {
  const limits = vi.spyOn(AbortSignal, "timeout");
  const asked: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const { pathname } = new URL((request as Request).url);
    asked.push(pathname);
    if (pathname === PDF) return new Response("%PDF-");
    return Response.json({ results: pathname.endsWith("/cases") ? [] : [MEMO] });
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
