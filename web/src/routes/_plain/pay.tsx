import { createFileRoute, useLocation } from "@tanstack/react-router";
import { GuestScreen } from "~/features/billing/pay-links/guest-screen";
import { tokenIn } from "~/features/billing/pay-links/token";

export const Route = createFileRoute("/_plain/pay")({ component: Page });

/** The link's secret stands in the fragment, which no server is sent. */
function Page() {
  return <GuestScreen token={tokenIn(useLocation({ select: ({ hash }) => hash }))} />;
}
