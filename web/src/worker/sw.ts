/** The portal's one service worker: the page and what it is made of, for when there is no network. Nothing of the API. */
import { clientsClaim } from "workbox-core";
import { ExpirationPlugin } from "workbox-expiration";
import { NavigationRoute, registerRoute } from "workbox-routing";
import { CacheFirst, NetworkFirst } from "workbox-strategies";

declare const self: { skipWaiting(): Promise<void> };

/** One page serves every address. */
const PAGE = "/index";
const PATIENCE_SECONDS = 4;

void self.skipWaiting();
clientsClaim();

registerRoute(
  new NavigationRoute(
    new NetworkFirst({
      cacheName: "page",
      networkTimeoutSeconds: PATIENCE_SECONDS,
      plugins: [
        {
          cacheKeyWillBeUsed: async () => PAGE,
          cacheWillUpdate: async ({ response }) => (response.status === 200 ? response : null),
        },
      ],
    }),
    { denylist: [/^\/(?:api|v1|content)\//, /^\/(?:healthz|readyz|openapi\.json)$/] },
  ),
);
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith("/assets/"),
  new CacheFirst({ cacheName: "assets", plugins: [new ExpirationPlugin({ maxEntries: 300 })] }),
);
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith("/pictures/wiring/"),
  new CacheFirst({ cacheName: "pictures", plugins: [new ExpirationPlugin({ maxEntries: 60 })] }),
);
