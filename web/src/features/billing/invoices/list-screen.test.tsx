import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { amend, begin, end } from "~/shared/session/session";
import { aPerson, aRep, aWork } from "~/testing/a-person";
import { anInvoice } from "~/testing/an-invoice";
import { showPage } from "~/testing/show";
import { invoicesAddress } from "./address";
import { InvoicesScreen } from "./list-screen";
import { deselect } from "./selection";

const OPEN = anInvoice({ id: "INV-1", number: "INV-1" });
const IN_PAYMENT = anInvoice({
  id: "INV-2",
  number: "INV-2",
  inPayment: { paymentId: "p1", by: "Ann Lee", since: "2026-11-21T12:00:00Z" },
});
const PAID = anInvoice({ id: "INV-3", number: "INV-3", isPaid: true });

const ADVICE = {
  results: [OPEN],
  on: "2026-11-29",
  total: 102,
  discount: 0,
  pastDue: 0,
  left: 398,
  considered: 1,
  open: 1,
};

function shown() {
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const { pathname } = new URL((request as Request).url);
    if (pathname.endsWith("/invoice-payments/advice")) return Response.json(ADVICE);
    if (!pathname.endsWith("/invoices")) return new Response(null, { status: 404 });
    return Response.json({
      results: [OPEN, IN_PAYMENT, PAID],
      count: 3,
      countOfAll: 3,
      counts: {},
      ageing: [{ bucket: "current", count: 1, amount: { amount: 102, currency: "USD" } }],
    });
  });
  return showPage(<InvoicesScreen address={invoicesAddress({})} />);
}

afterEach(() => {
  deselect(["INV-1", "INV-2", "INV-3"]);
  end();
  vi.restoreAllMocks();
});

test("a page is selected without what is paid or in payment", async () => {
  begin(aPerson({ purchasing_rights: true }), "t");
  await shown();
  await userEvent.click(await screen.findByRole("button", { name: "Select this page" }));
  expect(screen.getByRole("checkbox", { name: "Select INV-1" })).toBeChecked();
  expect(screen.getByRole("checkbox", { name: "Select INV-2" })).not.toBeChecked();
  const selected = screen.getByRole("region", { name: "Selected invoices" });
  expect(within(selected).getByRole("status")).toHaveTextContent("1 invoice selected");
});

test.each([
  ["an outside rep", aRep(true)],
  ["an accountant", aPerson({ is_dealer_accountant: true })],
])("%s reads the invoices, and is offered to pay none", async (_, reader) => {
  begin(aPerson({ purchasing_rights: true }), "t");
  const { unmount } = await shown();
  await userEvent.click(await screen.findByRole("button", { name: "Select this page" }));
  unmount();
  begin(reader, "t"); // of the same business, at the same tab
  await shown();
  expect(await screen.findByRole("row", { name: /INV-1/ })).toBeVisible();
  expect(screen.queryByRole("columnheader", { name: "Select" })).toBeNull();
  expect(screen.queryByRole("checkbox")).toBeNull();
  expect(screen.queryByRole("button", { name: "Select this page" })).toBeNull();
  expect(screen.queryByRole("region", { name: "Paying well" })).toBeNull();
  expect(screen.queryByRole("region", { name: "Selected invoices" })).toBeNull();
});

test("what would settle one business is told of no other", async () => {
  begin(aPerson({ purchasing_rights: true }), "t");
  amend({ work: aWork(true) });
  await shown();
  await userEvent.type(await screen.findByLabelText("Money to pay with (USD)"), "500");
  await userEvent.click(screen.getByRole("button", { name: "Select what to pay" }));
  expect(await screen.findByText(/^1 invoice is selected\./)).toBeVisible();
  const { business, ...work } = aWork(true);
  act(() => amend({ work: { ...work, business: business && { ...business, code: "N2000" } } }));
  expect(screen.queryByText(/^1 invoice is selected\./)).toBeNull();
});
