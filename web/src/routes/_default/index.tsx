import { i18n } from "@lingui/core";
import { createFileRoute } from "@tanstack/react-router";
import { DashboardScreen } from "~/features/activation/dashboard";
import { Carousel } from "~/features/content/carousel";
import { carouselQuery } from "~/features/content/queries";
import { startPageQuery } from "~/features/desk/queries";
import type { Language } from "~/i18n/language";
import { ahead } from "~/shared/api/ahead";
import { oneOf, query } from "~/shared/navigation/query";
import { session, useSession } from "~/shared/session/session";
import { fetched } from "~/shared/ui/fetched";
import { ErrorScreen } from "~/shared/ui/screens/error-screen";

const startPage = () => import("~/layouts/start-page");
const StartPage = fetched(startPage, {
  pending: () => <div className="page-to-come" aria-busy="true" />,
  failed: (_, cause) => <ErrorScreen error={cause} />,
});

const search = query({ scope: oneOf(["mine", "dealer"]) });

export const Route = createFileRoute("/_default/")({
  validateSearch: search,
  loaderDeps: ({ search: { scope = "mine" } }) => ({ scope }),
  loader: ({ context: { queryClient }, deps: { scope } }) => {
    if (session().state === "signed-in") {
      void startPage();
      ahead(queryClient, startPageQuery(scope));
    } else ahead(queryClient, carouselQuery(i18n.locale as Language));
  },
  component: Dashboard,
});

function Dashboard() {
  const { scope = "mine" } = Route.useSearch();
  const isVisitor = useSession().state === "anonymous";
  return (
    <>
      <DashboardScreen>
        <StartPage scope={scope} />
      </DashboardScreen>
      {isVisitor ? <Carousel /> : null}
    </>
  );
}
