import "./first";
import "./styles";
import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { activateLanguage, preferredLanguage } from "~/i18n/language";
import { renew } from "~/shared/api/fetch";
import { forgetKept } from "~/shared/kept/forget";
import { siteQuery } from "~/shared/session/site";
import { listenToOtherTabs, loadWork } from "~/shared/session/work";
import { registerBusinessAreas } from "./business-areas";
import { queryClient, router } from "./router";
import { reloadStaleScripts } from "./stale-scripts";
import { resumeAdds } from "./waiting-adds";
import { watchNavigation } from "./watch";

reloadStaleScripts();
registerBusinessAreas(queryClient);
void queryClient.prefetchQuery(siteQuery);

/** The session is known before the router starts, so that guards need not wait. */
async function start() {
  const [{ Appearance }] = await Promise.all([
    import("./appearance"),
    activateLanguage(preferredLanguage()),
    initialState(),
  ]);
  const root = document.getElementById("root");
  if (!root) throw new Error("the page has no root element");
  listenToOtherTabs();
  watchNavigation(router);
  // The live stream comes after the first page.
  import("./session-news").then(
    ({ followSession }) => followSession(),
    () => undefined, // without it a call that is refused tells
  );
  resumeAdds(router, queryClient);
  void afterwards().catch(() => undefined);
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
  );
}

/** What is needed without a network comes after the page. */
async function afterwards() {
  import("~/features/activation/outbox").then(
    ({ watchOutbox }) => watchOutbox(),
    () => undefined, // what waits can be sent by a tap
  );
  await router.preloadRoute({ to: "/offline" });
  await import("~/features/activation/waiting-forms");
  const { startWorker } = await import("~/shared/kept/worker");
  await startWorker();
}

async function initialState(): Promise<void> {
  try {
    if (await renew()) await loadWork().catch(() => undefined);
    else await forgetKept();
  } catch {
    // Nobody can sign in without a network; what was kept can be read.
    if (!navigator.onLine) window.history.replaceState(null, "", "/offline");
  }
}

void start();
