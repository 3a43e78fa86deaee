import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { ChooseTypeScreen } from "~/features/activation/choose-type";

const search = z.object({ device: z.catch(z.optional(z.string()), undefined) });

export const Route = createFileRoute("/_default/activation/select-activation-type")({
  validateSearch: search,
  component: ChooseType,
});

function ChooseType() {
  return <ChooseTypeScreen deviceKey={Route.useSearch().device} />;
}
