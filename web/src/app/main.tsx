import "./first";
import "./styles";
import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { activateLanguage, preferredLanguage } from "~/i18n/language";
import { renew } from "~/shared/api/fetch";
import { forgetKept } from "~/shared/kept/forget";
import { session } from "~/shared/session/session";
import { siteQuery } from "~/shared/session/site";
import { listenToOtherTabs, loadWork } from "~/shared/session/work";
import { afterwards, whenIdle } from "./prefetch";
import { queryClient, router } from "./router";
import { registerBusinessAreas } from "./session/business-areas";
import { resumeAdds } from "./session/waiting-adds";
import { watchNavigation } from "./session/watch";
import { refetchSheets, reloadStaleScripts } from "./stale-scripts";
import { styled } from "./styled";

/** Not every browser has it, nor the types of the document. */
type Breathing = { scheduler?: { yield?(): Promise<void> } };

reloadStaleScripts();
refetchSheets();
registerBusinessAreas(queryClient);
void queryClient.prefetchQuery(siteQuery);

/** The session is known before the router starts, so that guards need not wait; the page's scripts come meanwhile. */
async function start() {
  fetchPage();
  await breath();
  const [{ Appearance }] = await Promise.all([
    import(/* no texts */ "./appearance"),
    activateLanguage(preferredLanguage()),
    initialState(),
    styled(),
  ]);
  await breath();
  const root = document.getElementById("root");
  if (!root) throw new Error("the page has no root element");
  listenToOtherTabs();
  watchNavigation(router);
  resumeAdds(router, queryClient);
  // With the page's own, or its stream is opened twice and says all again.
  const signedIn = session().state === "signed-in";
  if (signedIn) follow();
  // What the page was opened with stands until the page itself can.
  await router.load().catch(() => undefined);
  await breath();
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <I18nProvider i18n={i18n}>
          <Appearance>
            <QueryClientProvider client={queryClient}>
              <RouterProvider router={router} />
            </QueryClientProvider>
          </Appearance>
        </I18nProvider>
      </StrictMode>,
    ),
  );
  whenIdle(() => {
    if (!signedIn) follow();
    afterwards(
      () => import(/* no texts */ "./after-page"),
      ({ afterPage }) => afterPage(router),
    );
  });
}

/** The scripts of what was asked for. One that does not come is missed when it is needed. */
function fetchPage(): void {
  const [routes] = router.getMatchedRoutes(router.latestLocation.pathname);
  for (const route of routes) router.loadRouteChunk(route)?.catch(() => undefined);
}

/** Lets a press be answered before what follows, where the browser can. */
async function breath(): Promise<void> {
  await (globalThis as Breathing).scheduler?.yield?.();
}

/** The live stream. */
function follow() {
  afterwards(
    () => import(/* no texts */ "./session/session-news"),
    ({ followSession }) => followSession(),
  );
}

async function initialState(): Promise<void> {
  try {
    if (await renew()) await loadWork().catch(() => undefined);
    else await forgetKept();
  } catch {
    // Nobody can sign in without a network; what was kept can be looked at.
    await import("./kept/start-from-kept").then(
      ({ startFromKept }) => startFromKept(queryClient),
      () => {
        // The script never came: what can be read is there all the same.
        if (!navigator.onLine) window.history.replaceState(null, "", "/offline");
      },
    );
  }
}

start().catch((cause) => {
  // What stands on the screen says so (first-paint.js).
  window.dispatchEvent(new Event("unstarted"));
  throw cause;
});
