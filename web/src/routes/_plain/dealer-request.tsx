import { createFileRoute } from "@tanstack/react-router";
import { DealerRequestScreen } from "~/features/identity/dealer-request";

export const Route = createFileRoute("/_plain/dealer-request")({ component: DealerRequestScreen });
