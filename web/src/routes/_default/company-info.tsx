import { createFileRoute } from "@tanstack/react-router";
import { ContentScreen } from "~/features/content/page";

export const Route = createFileRoute("/_default/company-info")({
  component: () => <ContentScreen id="company-info" />,
});
