import { createFileRoute } from "@tanstack/react-router";
import { PayScreen } from "~/features/billing/invoice-payment/pay-screen";

export const Route = createFileRoute("/_default/invoice-payment/")({ component: PayScreen });
