import { createFileRoute, useMatches } from "@tanstack/react-router";
import { PlainLayout } from "~/layouts/plain";
import { screenOf } from "~/shared/navigation/routes";

export const Route = createFileRoute("/_plain")({ component: Framed });

function Framed() {
  const path = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? "/" });
  return <PlainLayout backLink={screenOf(path)?.backLink} />;
}
