import { createFileRoute } from "@tanstack/react-router";
import { RegisterScreen } from "~/features/identity/register";

export const Route = createFileRoute("/_plain/register")({ component: RegisterScreen });
