import { createFileRoute, Outlet } from "@tanstack/react-router";
import { TaskLayout } from "~/layouts/task";
import { Starting } from "~/shared/ui/screens/starting";

export const Route = createFileRoute("/_task")({
  component: Framed,
  pendingComponent: Starting,
});

function Framed() {
  return (
    <TaskLayout>
      <Outlet />
    </TaskLayout>
  );
}
