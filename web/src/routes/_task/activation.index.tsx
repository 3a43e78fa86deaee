import { createFileRoute } from "@tanstack/react-router";
import { unfinishedQuery } from "~/features/activation/queries";
import { SerialScreen } from "~/features/activation/start/serial";
import { ahead } from "~/shared/api/ahead";
import { query, text } from "~/shared/navigation/query";
import { activates } from "~/shared/session/rights";
import { session } from "~/shared/session/session";

const search = query({ device: text() });

export const Route = createFileRoute("/_task/activation/")({
  validateSearch: search,
  loader: ({ context: { queryClient } }) => {
    if (activates(session())) ahead(queryClient, unfinishedQuery("mine"));
  },
  component: Serial,
});

function Serial() {
  return <SerialScreen deviceKey={Route.useSearch().device} />;
}
