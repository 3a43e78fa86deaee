import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { begin } from "~/shared/session/session";
import { aPerson, aRep } from "~/testing/a-person";
import { anInvoice } from "~/testing/shop/an-invoice";
import { showPage } from "~/testing/show";
import { InvoiceScreen } from "./invoice-screen";
import { deselect, presentSelection, select } from "./selection";

/** A server that holds this invoice, and nothing else of it. */
function holding(
  invoice: ReturnType<typeof anInvoice> | undefined,
  features?: object,
  links: object[] = [],
) {
  const asked: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const { pathname } = new URL((request as Request).url);
    asked.push(pathname);
    if (features && pathname.endsWith("/site")) return Response.json({ features });
    if (!/(invoice|cases|links)$/.test(pathname)) return new Response(null, { status: 404 });
    if (pathname === "/v1/pay-links" && (request as Request).method === "POST")
      return Response.json(await madeOf(request as Request));
    if (pathname.endsWith("links")) return Response.json({ results: links });
    return Response.json({ results: pathname === "/api/invoice" && invoice ? [invoice] : [] });
  });
  return asked;
}

/** The link that a request asks for. */
async function madeOf(request: Request) {
  const { made_for } = (await request.json()) as { made_for: string };
  return { url: `https://portal.example/pay#${made_for}`, madeFor: made_for };
}

const PAYER = aPerson({ purchasing_rights: true });

afterEach(() => {
  deselect(["INV-100001"]);
  vi.restoreAllMocks();
});

test("an invoice says what it is for, what is open, and can be selected to pay", async () => {
  holding(anInvoice());
  begin(PAYER, "t");
  await showPage(<InvoiceScreen id="INV-100001" />);
  expect(await screen.findByRole("heading", { name: "Invoice INV-100001" })).toBeVisible();
  expect(screen.getByText("Issued on Nov 20, 2026, due on Dec 20, 2026")).toBeVisible();
  const lines = screen.getByRole("table", { name: "Products" });
  expect(within(lines).getByRole("row", { name: /Thing/ })).toHaveTextContent("$90.00");
  expect(screen.getByText("Nothing was paid against this invoice yet.")).toBeVisible();
  expect(await screen.findByText("No link was made for this invoice.")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Select to pay" }));
  expect(screen.getByRole("button", { name: "Selected to pay" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
});

const A_LINK = {
  id: "l1",
  madeFor: "Bea",
  maker: "Ann Lee",
  state: "paid",
  createdAt: "2026-11-20T12:00:00Z",
  openedAt: "2026-11-21T12:00:00Z",
  expiresAt: "2026-12-20T12:00:00Z",
  paidAt: "2026-11-21T12:05:00Z",
  revokedAt: null,
};

test("each link that is made can be copied, and by hand where the browser does not", async () => {
  const user = userEvent.setup();
  const write = vi.spyOn(navigator.clipboard, "writeText");
  holding(anInvoice());
  begin(PAYER, "t");
  await showPage(<InvoiceScreen id="INV-100001" />);
  const makeFor = async (somebody: string) => {
    const field = await screen.findByRole("textbox", { name: "Name of whom it is for" });
    await user.type(field, `${somebody}{Enter}`);
    return await screen.findByRole("textbox", { name: `Link for ${somebody}` });
  };
  const first = await makeFor("Bea");
  await user.click(screen.getByRole("button", { name: "Copy" }));
  expect(await screen.findByRole("button", { name: "Copied" })).toBeVisible();
  expect(await navigator.clipboard.readText()).toBe((first as HTMLInputElement).value);
  write.mockRejectedValueOnce(new Error("denied"));
  const second = await makeFor("Carl");
  await user.click(screen.getByRole("button", { name: "Copy" }));
  expect(await screen.findByRole("alert")).toHaveTextContent(/copy it by hand/);
  expect(second).toHaveFocus();
});

test("a paid invoice shows by which link it was paid, and makes no other", async () => {
  holding(anInvoice({ isPaid: true }), undefined, [A_LINK]);
  begin(PAYER, "t");
  await showPage(<InvoiceScreen id="INV-100001" />);
  const links = await screen.findByRole("table", { name: "Payment links" });
  expect(within(links).getByRole("row", { name: /Bea/ })).toHaveTextContent("Paid");
  expect(screen.queryByRole("button", { name: "Make a link" })).toBeNull();
  expect(screen.queryByText(/can pay it by card/)).toBeNull();
});

test("a paid invoice is neither selected nor lent to anybody", async () => {
  const asked = holding(anInvoice({ isPaid: true }));
  begin(PAYER, "t");
  await showPage(<InvoiceScreen id="INV-100001" />);
  expect(await screen.findByRole("heading", { name: "Invoice INV-100001" })).toBeVisible();
  expect(screen.queryByRole("button", { name: "Select to pay" })).toBeNull();
  await waitFor(() => expect(asked.some((path) => path.includes("link"))).toBe(true));
  expect(screen.queryByRole("region", { name: "Payment links" })).toBeNull();
});

test("where card payments are off no invoice is lent to anybody", async () => {
  const asked = holding(anInvoice(), { card_payments: false });
  begin(PAYER, "t");
  await showPage(<InvoiceScreen id="INV-100001" />);
  expect(await screen.findByRole("heading", { name: "Invoice INV-100001" })).toBeVisible();
  await waitFor(() => expect(screen.queryByRole("region", { name: "Payment links" })).toBeNull());
  expect(asked.some((path) => path.endsWith("/site"))).toBe(true);
  expect(screen.getByRole("button", { name: "Select to pay" })).toBeVisible();
});

test("whoever only reads changes nothing of it", async () => {
  holding(anInvoice());
  begin(aPerson({ roles: ["admin"] }), "t");
  await showPage(<InvoiceScreen id="INV-100001" />);
  expect(await screen.findByRole("heading", { name: "Invoice INV-100001" })).toBeVisible();
  expect(screen.queryByRole("button", { name: "Select to pay" })).toBeNull();
  expect(screen.getByRole("link", { name: "Operations" })).toBeVisible();
});

test.each([
  ["an outside rep", aRep(true)],
  ["an accountant", aPerson({ is_dealer_accountant: true })],
])("%s reads it, and pays none", async (_, reader) => {
  const asked = holding(anInvoice());
  begin(reader, "t");
  await showPage(<InvoiceScreen id="INV-100001" />);
  expect(await screen.findByRole("heading", { name: "Invoice INV-100001" })).toBeVisible();
  expect(screen.queryByRole("button", { name: "Select to pay" })).toBeNull();
  expect(screen.getByRole("link", { name: "All invoices" })).toBeVisible();
  expect(asked.filter((path) => path.includes("link"))).toEqual([]);
});

test("an invoice in payment is not selected, and let go if it was", async () => {
  begin(PAYER, "t");
  select([anInvoice()]);
  const inPayment = { paymentId: "p1", by: "Ann Lee", since: "2026-11-21T12:00:00Z" };
  holding(anInvoice({ inPayment }));
  await showPage(<InvoiceScreen id="INV-100001" />);
  expect(await screen.findByText("In payment")).toBeVisible();
  expect(screen.getByRole("link", { name: /payment of INV-100001/ })).toHaveAttribute(
    "href",
    "/invoice-payment/complete?id=p1",
  );
  expect(screen.queryByRole("button", { name: /to pay/ })).toBeNull();
  expect(presentSelection().size).toBe(0);
});

test("who may not pay reads that an invoice is in payment, without the way to it", async () => {
  begin(aPerson({ is_dealer_accountant: true }), "t");
  const inPayment = { paymentId: "p1", by: "Ann Lee", since: "2026-11-21T12:00:00Z" };
  holding(anInvoice({ inPayment }));
  await showPage(<InvoiceScreen id="INV-100001" />);
  expect(await screen.findByText("In payment")).toBeVisible();
  expect(screen.queryByRole("link", { name: /payment of/ })).toBeNull();
});

test("an invoice that is not there says so, and leads to the others", async () => {
  holding(undefined);
  begin(PAYER, "t");
  await showPage(<InvoiceScreen id="INV-9" />);
  expect(await screen.findByRole("heading", { name: "Invoice not found" })).toBeVisible();
  expect(screen.getByRole("link", { name: "All invoices" })).toHaveAttribute("href", "/invoice");
});
