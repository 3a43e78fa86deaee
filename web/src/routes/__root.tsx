import type { MessageDescriptor } from "@lingui/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, Outlet, useMatches } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import { DefaultLayout } from "~/layouts/default";
import { useSession } from "~/shared/session/session";
import { siteLabel } from "~/shared/session/site";
import { NotFoundScreen } from "~/shared/ui/not-found-screen";
import { OfflineBar } from "~/shared/ui/offline-bar";

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    title?: MessageDescriptor;
  }
}

const SignInAgain = lazy(() => import("~/features/identity/sign-in-again"));

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Root,
  notFoundComponent: () => (
    <DefaultLayout>
      <NotFoundScreen />
    </DefaultLayout>
  ),
});

function Root() {
  const { i18n } = useLingui();
  const expired = useSession().state === "expired";
  const title = useMatches({
    select: (matches) => matches.findLast((match) => match.staticData.title)?.staticData.title,
  });
  useEffect(() => {
    document.title = title ? `${i18n._(title)} | ${siteLabel()}` : siteLabel();
  }, [title, i18n]);
  return (
    <>
      <a className="skip" href="#main">
        <Trans>Skip to content</Trans>
      </a>
      <OfflineBar />
      <Outlet />
      {expired ? (
        <Suspense>
          <SignInAgain />
        </Suspense>
      ) : null}
    </>
  );
}
