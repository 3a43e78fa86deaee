import { createFileRoute } from "@tanstack/react-router";
import { LogoutScreen } from "~/features/identity/logout";

export const Route = createFileRoute("/_plain/logout")({ component: LogoutScreen });
