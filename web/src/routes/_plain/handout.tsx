import { createFileRoute, useLocation } from "@tanstack/react-router";
import { OpenedHandout } from "~/features/activation/handout/opened-screen";

export const Route = createFileRoute("/_plain/handout")({ component: Page });

/** The link's secret stands in the fragment, which no server is sent. */
function Page() {
  return <OpenedHandout token={useLocation({ select: ({ hash }) => hash.replace(/^#/, "") })} />;
}
