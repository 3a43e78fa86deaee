import { createFileRoute, Outlet, redirect } from "@tanstack/react-router";
import { mustSignIn } from "~/shared/session/access";
import { session } from "~/shared/session/session";

export const Route = createFileRoute("/_default/_auth")({
  beforeLoad: ({ location }) => {
    const elsewhere = mustSignIn(session(), location.href);
    if (elsewhere) throw redirect(elsewhere);
  },
  component: Outlet,
});
