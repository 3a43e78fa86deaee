import { createFileRoute } from "@tanstack/react-router";
import { KeptScreen } from "~/features/wiring/kept-screen";

export const Route = createFileRoute("/_plain/offline")({ component: KeptScreen });
