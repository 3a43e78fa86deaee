import { infiniteQueryOptions, QueryClient, queryOptions } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { ahead } from "./ahead";

test("a page's queries are begun once, however often its link is pointed at", async () => {
  const cache = new QueryClient();
  const one = vi.fn(async () => "one");
  const pages = vi.fn(async () => ({ results: ["first"], end_cursor: null }));
  const single = queryOptions({ queryKey: ["one"], queryFn: one, staleTime: 0 });
  const paged = infiniteQueryOptions({
    queryKey: ["pages"],
    queryFn: pages,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ end_cursor }) => end_cursor ?? undefined,
    staleTime: 0,
  });
  ahead(cache, single, paged);
  await vi.waitFor(() => expect(cache.getQueryData(paged.queryKey)?.pages).toHaveLength(1));
  ahead(cache, single, paged);
  expect(one).toHaveBeenCalledTimes(1);
  expect(pages).toHaveBeenCalledTimes(1);
  expect(cache.getQueryData(single.queryKey)).toBe("one");
});

test("what fails is told by the page, not by the way to it", async () => {
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const query = queryOptions({ queryKey: ["no"], queryFn: () => Promise.reject(new Error("no")) });
  ahead(cache, query);
  await vi.waitFor(() => expect(cache.getQueryState(query.queryKey)?.status).toBe("error"));
});
