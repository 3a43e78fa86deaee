import { i18n } from "@lingui/core";
import { I18nProvider } from "@lingui/react";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { parseSearch, stringifySearch } from "~/app/search";

/** What every part may ask for, around it. */
export function holding() {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return ({ children }: { children: ReactNode }) => (
    <I18nProvider i18n={i18n}>
      <MantineProvider>
        <QueryClientProvider client={queries}>{children}</QueryClientProvider>
      </MantineProvider>
    </I18nProvider>
  );
}

/** Renders a part with what every part may ask for. */
export function show(part: ReactNode) {
  return render(part, { wrapper: holding() });
}

/**
 * The same for a part that holds links: it is the one page of a router whose history is in memory, and stands at an
 * address. `scrolls`: a change of page begins at the top of it.
 */
export async function showPage(part: ReactNode, at = "/", { scrolls = false } = {}) {
  const history = createMemoryHistory({ initialEntries: [at] });
  const router = createRouter({
    routeTree: createRootRoute({ component: () => part, notFoundComponent: () => null }),
    history,
    scrollRestoration: scrolls,
    parseSearch,
    stringifySearch,
  });
  await router.load();
  return { ...show(<RouterProvider router={router as never} />), history };
}
