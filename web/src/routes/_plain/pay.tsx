import { createFileRoute, useLocation } from "@tanstack/react-router";
import { GuestScreen } from "~/features/billing/pay-links/guest-screen";

const KEY = "pay_link";

export const Route = createFileRoute("/_plain/pay")({ component: Page });

/** The link's secret stands in the fragment, which no server is sent. */
function Page() {
  return <GuestScreen token={tokenIn(useLocation({ select: ({ hash }) => hash }))} />;
}

/**
 * The secret of the link that was opened. It stays in this tab, so that a payer who confirms at their bank comes back to
 * it; no address but the one that was opened holds it.
 */
function tokenIn(hash: string): string | undefined {
  const given = hash.replace(/^#/, "");
  if (given) sessionStorage.setItem(KEY, given);
  return given || sessionStorage.getItem(KEY) || undefined;
}
