import { createFileRoute } from "@tanstack/react-router";
import { BillingScreen } from "~/features/billing/screen";
import { ahead } from "~/shared/api/ahead";
import { methodsQuery } from "~/shared/payments/queries";
import { ofBusiness } from "~/shared/session/of-business";

export const Route = createFileRoute("/_default/billing")({
  loader: ({ context: { queryClient } }) => {
    ahead(queryClient, ofBusiness(methodsQuery));
  },
  component: BillingScreen,
});
