import { QueryClient } from "@tanstack/react-query";
import { createMemoryHistory, createRouter } from "@tanstack/react-router";
import { afterEach, expect, test, vi } from "vitest";
import { begin } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { routeTree } from "./routeTree.gen";

afterEach(() => vi.restoreAllMocks());

/** What is asked for on the way to an address, before anything of its page is drawn. */
async function askedOnTheWayTo(address: string) {
  const asked: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    asked.push(new URL((request as Request).url).pathname);
    return Response.json({ results: [] });
  });
  const history = createMemoryHistory({ initialEntries: [address] });
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const router = createRouter({ routeTree, history, context: { queryClient } });
  await router.load();
  return asked.sort();
}

const OWNER = aPerson({ is_owner: true, roles: ["owner"], purchasing_rights: true });

test.each([
  ["/team", ["/v1/dealers/d1/open-activations"]],
  ["/rewards/u7", ["/v1/dealers/d1/device-rewards"]],
  ["/devices/ft-x1-00000042", ["/v1/devices/FT-X1-00000042"]],
  ["/activation", ["/v1/activations"]],
  ["/activation/device?id=a1", ["/v1/activations/a1"]],
  [
    "/wiring?vehicle=2022,1,1",
    [
      "/api/external-vehicle-wiring",
      "/api/internal-vehicle-wiring",
      "/api/year-make-model",
      "/api/year-make-model",
    ],
  ],
])("%s begins what it asks for on the way to it", async (address, expected) => {
  begin(OWNER, "t");
  expect(await askedOnTheWayTo(address)).toEqual(expected);
});

test("a guest's run is asked for by its page, which takes up the secret of the link", async () => {
  expect(await askedOnTheWayTo("/activation/device?id=a1#resume=secret")).toEqual([]);
});
