import { createFileRoute } from "@tanstack/react-router";
import { ContentScreen } from "~/features/content/page";

export const Route = createFileRoute("/_default/privacy-policy")({
  component: () => <ContentScreen id="privacy-policy" />,
});
