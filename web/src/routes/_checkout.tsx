import { createFileRoute, Outlet } from "@tanstack/react-router";
import { CheckoutLayout } from "~/layouts/checkout";
import { Starting } from "~/shared/ui/starting";

export const Route = createFileRoute("/_checkout")({
  component: Framed,
  pendingComponent: Starting,
});

function Framed() {
  return (
    <CheckoutLayout>
      <Outlet />
    </CheckoutLayout>
  );
}
