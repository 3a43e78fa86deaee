import {
  infiniteQueryOptions,
  QueryClient,
  QueryClientProvider,
  queryOptions,
  useQuery,
} from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { ahead, asksAgain } from "./ahead";

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

test("what is dropped once nobody looks at it is held until its page does", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const cache = new QueryClient();
  const query = queryOptions({ queryKey: ["one"], queryFn: async () => 1, gcTime: 0 });
  ahead(cache, query);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(cache.getQueryData(query.queryKey)).toBe(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(cache.getQueryData(query.queryKey)).toBeUndefined();
});

test("what fails is told by the page, not by the way to it", async () => {
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const query = queryOptions({ queryKey: ["no"], queryFn: () => Promise.reject(new Error("no")) });
  ahead(cache, query);
  await vi.waitFor(() => expect(cache.getQueryState(query.queryKey)?.status).toBe("error"));
});

function Page({ queryFn }: { queryFn: () => Promise<number> }) {
  return <p>{useQuery({ queryKey: ["one"], queryFn, staleTime: 0 }).data}</p>;
}

const shownWith = (cache: QueryClient, queryFn: () => Promise<number>) =>
  render(
    <QueryClientProvider client={cache}>
      <Page queryFn={queryFn} />
    </QueryClientProvider>,
  );

test("a page does not ask again for what its loader fetched, and does for what is older or no longer true", async () => {
  const cache = new QueryClient({ defaultOptions: { queries: { refetchOnMount: asksAgain } } });
  const queryFn = vi.fn(async () => 1);
  ahead(cache, queryOptions({ queryKey: ["one"], queryFn }));
  await vi.waitFor(() => expect(cache.getQueryData(["one"])).toBe(1));
  const first = shownWith(cache, queryFn);
  expect(screen.getByText("1")).toBeVisible();
  expect(queryFn).toHaveBeenCalledTimes(1);
  first.unmount();
  await cache.invalidateQueries({ queryKey: ["one"] });
  const second = shownWith(cache, queryFn);
  await vi.waitFor(() => expect(queryFn).toHaveBeenCalledTimes(2));
  await vi.waitFor(() => expect(cache.isFetching()).toBe(0));
  second.unmount();
  cache.setQueryData(["one"], 1, { updatedAt: Date.now() - 60_000 });
  shownWith(cache, queryFn);
  await vi.waitFor(() => expect(queryFn).toHaveBeenCalledTimes(3));
});
