import { createFileRoute } from "@tanstack/react-router";
import { ForgotPasswordScreen } from "~/features/identity/forgot-password";

export const Route = createFileRoute("/_plain/forgot-password")({
  component: ForgotPasswordScreen,
});
