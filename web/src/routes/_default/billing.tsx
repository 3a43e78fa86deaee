import { createFileRoute } from "@tanstack/react-router";
import { BillingScreen } from "~/features/billing/screen";

export const Route = createFileRoute("/_default/billing")({ component: BillingScreen });
