import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { showPage } from "~/testing/show";
import type { AuditEntry } from "./queries";
import { AuditTable } from "./table";

const ENTRY: AuditEntry = {
  id: 1,
  at: "2026-11-20T12:00:00Z",
  actor: "user:p1",
  acting_for: null,
  partner_code: "N100",
  action: "paid invoices",
  object_kind: "invoice_payment",
  object_id: "x1",
  outcome: "accepted",
  request_id: null,
  address: null,
  more: {},
};

test("what was accepted is not called done, and leads to the run that says what came of it", async () => {
  await showPage(<AuditTable entries={[ENTRY]} narrowed={false} />);
  expect(await screen.findByText("Taken on")).toBeVisible();
  expect(screen.queryByText("Done")).toBeNull();
  expect(screen.getByRole("link", { name: "x1" })).toHaveAttribute(
    "href",
    "/operations/run?kind=invoice_payment&id=x1",
  );
});

test("what is done leads to no run", async () => {
  await showPage(<AuditTable entries={[{ ...ENTRY, outcome: "done" }]} narrowed={false} />);
  expect(await screen.findByText("Done")).toBeVisible();
  expect(screen.queryByRole("link")).toBeNull();
});

test("a later release's word is shown as it is", async () => {
  await showPage(<AuditTable entries={[{ ...ENTRY, outcome: "put off" }]} narrowed={false} />);
  expect(await screen.findByText("put off")).toBeVisible();
});

test("an action and the kind of its object are read out as the English that they are", async () => {
  await showPage(<AuditTable entries={[ENTRY]} narrowed={false} />);
  for (const word of ["paid invoices", "invoice_payment"])
    expect(await screen.findByText(word)).toHaveAttribute("lang", "en");
});
