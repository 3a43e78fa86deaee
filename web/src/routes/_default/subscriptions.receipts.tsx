import { createFileRoute } from "@tanstack/react-router";
import { receiptQuery, receiptsQuery } from "~/features/plans/receipt-queries";
import { ReceiptScreen } from "~/features/plans/receipt-screen";
import { receiptsAddress } from "~/features/plans/receipts-address";
import { ReceiptsScreen } from "~/features/plans/receipts-screen";
import { ahead } from "~/shared/api/ahead";

export const Route = createFileRoute("/_default/subscriptions/receipts")({
  validateSearch: receiptsAddress,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    ahead(queryClient, deps.uuid ? receiptQuery(deps.uuid) : receiptsQuery(deps));
  },
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
