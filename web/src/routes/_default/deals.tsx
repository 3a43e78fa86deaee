import { createFileRoute } from "@tanstack/react-router";
import { DealsScreen } from "~/features/catalogue/deals-screen";

export const Route = createFileRoute("/_default/deals")({ component: DealsScreen });
