import { i18n } from "@lingui/core";
import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { DashboardScreen } from "~/features/activation/dashboard";
import { Carousel } from "~/features/content/carousel";
import { carouselQuery } from "~/features/content/queries";
import type { Language } from "~/i18n/language";

const search = z.object({ scope: z.catch(z.optional(z.enum(["mine", "dealer"])), undefined) });

export const Route = createFileRoute("/_default/")({
  validateSearch: search,
  // Started here and not waited for: the page stands without its slides.
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(carouselQuery(i18n.locale as Language));
  },
  component: Dashboard,
});

function Dashboard() {
  return (
    <>
      <DashboardScreen scope={Route.useSearch().scope ?? "mine"} />
      <Carousel />
    </>
  );
}
