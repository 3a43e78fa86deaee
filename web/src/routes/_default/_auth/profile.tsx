import { msg } from "@lingui/core/macro";
import { createFileRoute } from "@tanstack/react-router";
import { ProfileScreen } from "~/features/identity/profile";

export const Route = createFileRoute("/_default/_auth/profile")({
  staticData: { title: msg`My Profile` },
  component: ProfileScreen,
});
