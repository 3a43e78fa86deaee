import { QueryClient } from "@tanstack/react-query";
import { createRouter } from "@tanstack/react-router";
import { asksAgain } from "~/shared/api/ahead";
import { problemOf } from "~/shared/api/errors";
import { CONSTANTS } from "~/shared/constants";
import { ErrorScreen } from "~/shared/ui/screens/error-screen";
import { NotFoundScreen } from "~/shared/ui/screens/not-found-screen";
import { PageSkeleton } from "~/shared/ui/screens/page-skeleton";
import { mayPrefetch } from "./prefetch";
import { routeTree } from "./routeTree.gen";
import { parseSearch, stringifySearch } from "./search";

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (count, cause) => count < 2 && problemOf(cause).passing,
      staleTime: 10_000,
      refetchOnMount: asksAgain,
    },
  },
});

export const router = createRouter({
  routeTree,
  context: { queryClient },
  caseSensitive: true, // as the registry and the server are
  parseSearch,
  stringifySearch,
  defaultPreload: mayPrefetch() ? "intent" : false,
  defaultPreloadStaleTime: 0,
  defaultPendingMs: CONSTANTS.fetchMinimumDelay,
  defaultPendingComponent: PageSkeleton,
  defaultErrorComponent: ErrorScreen,
  defaultNotFoundComponent: NotFoundScreen,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
