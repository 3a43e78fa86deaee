import { createFileRoute } from "@tanstack/react-router";
import { ForgotPasswordScreen } from "~/features/identity/password/forgot-password";

export const Route = createFileRoute("/_plain/forgot-password")({
  component: ForgotPasswordScreen,
});
