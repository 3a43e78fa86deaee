import { createFileRoute, useMatches } from "@tanstack/react-router";
import { DefaultLayout } from "~/layouts/default";
import { screenOf } from "~/shared/navigation/routes";

export const Route = createFileRoute("/_default")({ component: Framed });

function Framed() {
  const path = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? "/" });
  return <DefaultLayout dynamic={screenOf(path)?.layout === "dynamic-auth"} />;
}
