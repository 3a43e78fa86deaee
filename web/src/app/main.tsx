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
import { Appearance } from "./appearance";
import { queryClient, router } from "./router";
import { reloadStaleScripts } from "./stale-scripts";

reloadStaleScripts();

/** The session is known before the router starts, so that guards need not wait. */
async function start() {
  await Promise.all([activateLanguage(preferredLanguage()), renew().catch(() => false)]);
  const root = document.getElementById("root");
  if (!root) throw new Error("the page has no root element");
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

void start();
