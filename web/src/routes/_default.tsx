import { createFileRoute, useMatches } from "@tanstack/react-router";
import { DefaultLayout } from "~/layouts/default";
import { screenOf } from "~/shared/navigation/routes";
import { Starting } from "~/shared/ui/screens/starting";

export const Route = createFileRoute("/_default")({
  component: Framed,
  pendingComponent: Starting,
});

function Framed() {
  const path = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? "/" });
  return <DefaultLayout dynamic={screenOf(path)?.layout === "dynamic-auth"} />;
}
