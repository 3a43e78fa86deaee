import { createFileRoute } from "@tanstack/react-router";
import { ReceiptScreen } from "~/features/plans/receipt-screen";
import { receiptsAddress } from "~/features/plans/receipts-address";
import { ReceiptsScreen } from "~/features/plans/receipts-screen";

export const Route = createFileRoute("/_default/subscriptions/receipts")({
  validateSearch: receiptsAddress,
  component: Receipts,
});

function Receipts() {
  const address = Route.useSearch();
  return address.uuid ? (
    <ReceiptScreen uuid={address.uuid} />
  ) : (
    <ReceiptsScreen address={address} />
  );
}
