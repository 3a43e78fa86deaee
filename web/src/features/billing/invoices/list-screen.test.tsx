import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { amend, begin, end } from "~/shared/session/session";
import { aPerson, aRep, aWork } from "~/testing/a-person";
import { anInvoice } from "~/testing/shop/an-invoice";
import { showPage } from "~/testing/show";
import { invoicesAddress } from "./address";
import { InvoicesScreen } from "./list-screen";
import { deselect, select } from "./selection";

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
  deselect(["INV-1", "INV-2", "INV-3", "INV-9"]);
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

test("what pays well is selected by one press, in the place of what was", async () => {
  begin(aPerson({ purchasing_rights: true }), "t");
  act(() => select([anInvoice({ id: "INV-9", number: "INV-9" })]));
  await shown();
  await userEvent.type(await screen.findByLabelText("Money to pay with (USD)"), "500");
  await userEvent.click(screen.getByRole("button", { name: "Select what to pay" }));
  await screen.findByText(/^1 invoice is selected\./);
  expect(screen.getByRole("checkbox", { name: "Select INV-1" })).toBeChecked();
  const selected = within(screen.getByRole("region", { name: "Selected invoices" }));
  expect(selected.getByRole("status")).toHaveTextContent(
    /^1 invoice selected: \$100\.00 with \$2\.00 off/,
  );
});

test("a page that does not come leaves what was selected, and is asked for again", async () => {
  begin(aPerson({ purchasing_rights: true }), "t");
  act(() => select([OPEN]));
  vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("Failed to fetch"));
  await showPage(<InvoicesScreen address={invoicesAddress({ status: "open", p: 2 })} />);
  const asked: unknown[] = [];
  const again = await screen.findByRole("button", { name: "Try again" });
  const selected = within(screen.getByRole("region", { name: "Selected invoices" }));
  expect(selected.getByRole("status")).toHaveTextContent("1 invoice selected");
  vi.mocked(fetch).mockImplementation(async (asking) => {
    const request = asking as Request;
    if (request.url.endsWith("/api/invoices")) asked.push(await request.json());
    return new Promise<Response>(() => undefined);
  });
  await userEvent.click(again);
  await vi.waitFor(() => expect(asked).toMatchObject([{ status: ["open"], page: 2 }]));
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
