import { createFileRoute } from "@tanstack/react-router";
import { SerialScreen } from "~/features/activation/serial";
import { query, text } from "~/shared/navigation/query";

const search = query({ device: text() });

export const Route = createFileRoute("/_task/activation/")({
  validateSearch: search,
  component: Serial,
});

function Serial() {
  return <SerialScreen deviceKey={Route.useSearch().device} />;
}
