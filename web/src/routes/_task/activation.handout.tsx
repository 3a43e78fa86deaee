import { createFileRoute, Navigate } from "@tanstack/react-router";
import { HandoutScreen } from "~/features/activation/handout/screen";
import { query, text } from "~/shared/navigation/query";

const search = query({ id: text() });

export const Route = createFileRoute("/_task/activation/handout")({
  validateSearch: search,
  component: Page,
});

function Page() {
  const { id } = Route.useSearch();
  return id ? <HandoutScreen id={id} /> : <Navigate to="/activation" replace />;
}
