import { createFileRoute } from "@tanstack/react-router";
import { ProfileScreen } from "~/features/identity/profile/screen";

export const Route = createFileRoute("/_default/profile")({ component: ProfileScreen });
