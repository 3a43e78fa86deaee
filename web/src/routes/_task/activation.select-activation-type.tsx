import { createFileRoute } from "@tanstack/react-router";
import { ChooseTypeScreen } from "~/features/activation/start/choose-type";
import { query, text } from "~/shared/navigation/query";

const search = query({ device: text() });

export const Route = createFileRoute("/_task/activation/select-activation-type")({
  validateSearch: search,
  component: ChooseType,
});

function ChooseType() {
  return <ChooseTypeScreen deviceKey={Route.useSearch().device} />;
}
