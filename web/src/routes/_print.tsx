import { createFileRoute, Outlet } from "@tanstack/react-router";
import { PrintLayout } from "~/layouts/bare";
import { Starting } from "~/shared/ui/screens/starting";

export const Route = createFileRoute("/_print")({
  component: Framed,
  pendingComponent: Starting,
});

function Framed() {
  return (
    <PrintLayout>
      <Outlet />
    </PrintLayout>
  );
}
