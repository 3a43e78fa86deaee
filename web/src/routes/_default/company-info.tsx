import { i18n } from "@lingui/core";
import { createFileRoute } from "@tanstack/react-router";
import { ContentScreen } from "~/features/content/page";
import { pageQuery } from "~/features/content/queries";
import type { Language } from "~/i18n/language";
import { ahead } from "~/shared/api/ahead";

export const Route = createFileRoute("/_default/company-info")({
  loader: ({ context: { queryClient } }) => {
    ahead(queryClient, pageQuery("company-info", i18n.locale as Language));
  },
  component: () => <ContentScreen id="company-info" />,
});
