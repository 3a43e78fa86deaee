import { createFileRoute } from "@tanstack/react-router";
import { memosAddress } from "~/features/billing/credit-memos/address";
import { CreditMemosScreen } from "~/features/billing/credit-memos/list-screen";
import { CreditMemoScreen } from "~/features/billing/credit-memos/memo-screen";
import { memoQuery, memosQuery } from "~/features/billing/credit-memos/queries";
import { wantedIn } from "~/features/billing/documents/address";
import { ahead } from "~/shared/api/ahead";

export const Route = createFileRoute("/_default/credit-memo/{-$id}")({
  validateSearch: memosAddress,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, params: { id }, deps }) => {
    ahead(queryClient, id ? memoQuery(id) : memosQuery(wantedIn(deps)));
  },
  component: CreditMemos,
});

function CreditMemos() {
  const { id } = Route.useParams();
  const address = Route.useSearch();
  return id ? <CreditMemoScreen key={id} id={id} /> : <CreditMemosScreen address={address} />;
}
