import { createFileRoute } from "@tanstack/react-router";
import { PlainLayout } from "~/layouts/plain";

export const Route = createFileRoute("/_plain")({ component: PlainLayout });
