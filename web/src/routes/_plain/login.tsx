import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { LoginScreen } from "~/features/identity/login";

const search = z.object({
  next: z.catch(z.optional(z.string()), undefined),
  session: z.catch(z.optional(z.string()), undefined),
});

export const Route = createFileRoute("/_plain/login")({
  validateSearch: search,
  component: Login,
});

function Login() {
  const { next, session } = Route.useSearch();
  return (
    <LoginScreen
      next={next}
      ended={session === "mfa" ? "mfa-off" : session === "true" ? "elsewhere" : undefined}
    />
  );
}
