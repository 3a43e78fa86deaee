import { createFileRoute, useMatches } from "@tanstack/react-router";
import { PlainLayout } from "~/layouts/plain";
import { screenOf } from "~/shared/navigation/routes";
import { Starting } from "~/shared/ui/screens/starting";

export const Route = createFileRoute("/_plain")({
  component: Framed,
  pendingComponent: Starting,
});

function Framed() {
  const path = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? "/" });
  return <PlainLayout backLink={screenOf(path)?.backLink} />;
}
