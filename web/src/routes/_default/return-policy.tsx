import { createFileRoute } from "@tanstack/react-router";
import { ContentScreen } from "~/features/content/page";

export const Route = createFileRoute("/_default/return-policy")({
  component: () => <ContentScreen id="return-policy" />,
});
