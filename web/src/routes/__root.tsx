import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  notFound,
  Outlet,
  redirect,
  useMatches,
  useRouterState,
} from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { Palette } from "~/layouts/palette/palette";
import { guard } from "~/shared/navigation/guard";
import { screenOf, titleOf } from "~/shared/navigation/routes";
import { session, useSession } from "~/shared/session/session";
import { useSiteLabel } from "~/shared/session/site";
import { fetched, Told } from "~/shared/ui/fetched";
import { NotFoundScreen } from "~/shared/ui/screens/not-found-screen";

const NOT_FOUND = msg`Page Not Found`;

// With its menus and lists it is more than all of a page without it.
const DefaultLayout = fetched<{ children: ReactNode }>(
  async () => ({ default: (await import("~/layouts/default")).DefaultLayout }),
  { failed: ({ children }) => children },
);
const OfflineBar = fetched(async () => ({
  default: (await import("~/shared/ui/notes/offline-bar")).OfflineBar,
}));
const SignInAgain = fetched(() => import("~/features/identity/sign-in/sign-in-again"), {
  failed: (_, cause) => <Told cause={cause} />,
});

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  // The session is known before the router starts, so that no page flashes before a redirect.
  beforeLoad: ({ matches, location }) => {
    const screen = screenOf(matches.at(-1)?.fullPath ?? "");
    const elsewhere = screen && guard(screen, session(), location.href);
    if (elsewhere === "not-found") throw notFound();
    if (elsewhere) throw redirect(elsewhere as { to: "/" });
  },
  component: Root,
  notFoundComponent: () => (
    <DefaultLayout>
      <NotFoundScreen />
    </DefaultLayout>
  ),
});

function hasNotFound(matches: { status: string }[]): boolean {
  return matches.some(({ status }) => status === "notFound");
}

function Root() {
  const { i18n } = useLingui();
  const expired = useSession().state === "expired";
  const missing = useMatches({ select: hasNotFound });
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const query = useRouterState({ select: ({ location }) => location.search });
  const label = useSiteLabel();
  const screen = missing ? undefined : screenOf(path);
  const about = screen && (screen.description ?? screenOf("/")?.description);
  useEffect(() => {
    const title = screen ? titleOf(screen, query) : NOT_FOUND;
    document.title = `${i18n._(title)} | ${label}`;
  }, [screen, query, i18n, label]);
  return (
    <>
      {about ? <meta name="description" content={i18n._(about)} /> : null}
      <a className="skip" href="#main">
        <Trans>Skip to content</Trans>
      </a>
      <OfflineBar />
      <Outlet />
      {expired ? <SignInAgain /> : null}
      <Palette />
    </>
  );
}
