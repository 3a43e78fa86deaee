import { msg } from "@lingui/core/macro";
import { createFileRoute, redirect } from "@tanstack/react-router";
import * as z from "zod/mini";
import { LoginScreen } from "~/features/identity/login";
import { session } from "~/shared/session/session";

const search = z.object({
  next: z.catch(z.optional(z.string()), undefined),
  session: z.catch(z.optional(z.string()), undefined),
});

export const Route = createFileRoute("/_plain/login")({
  staticData: { title: msg`Login` },
  validateSearch: search,
  beforeLoad: () => {
    if (session().state === "signed-in") throw redirect({ to: "/" });
  },
  component: Login,
});

function Login() {
  return <LoginScreen next={Route.useSearch().next} />;
}
