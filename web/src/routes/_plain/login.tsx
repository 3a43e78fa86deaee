import { createFileRoute } from "@tanstack/react-router";
import { LoginScreen } from "~/features/identity/sign-in/login";
import { query, text } from "~/shared/navigation/query";

const search = query({
  next: text(),
  session: text(),
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
