import {
  keepPreviousData,
  QueryClient,
  QueryClientProvider,
  useQuery,
} from "@tanstack/react-query";
import { act, render, renderHook, screen, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { keyOf } from "~/shared/api/operation";
import { brandsQuery } from "~/shared/catalogue/lists";
import { useUnsaved } from "~/shared/forms/unsaved";
import { begin, end, expire, type SignedInUser } from "~/shared/session/session";
import { siteQuery } from "~/shared/session/site";
import { watchNavigation } from "./watch";

const cache = new QueryClient();
const invalidated = vi.fn();

watchNavigation({
  state: { location: { pathname: "/", search: {}, state: { __TSR_index: 0 } } },
  options: { context: { queryClient: cache } },
  subscribe: () => () => undefined,
  invalidate: async () => invalidated(cache.getQueryData(START)),
  preloadRoute: async () => undefined,
} as never);

const START = keyOf("get", "/v1/start-page");
const PARTNERS = keyOf("post", "/api/business-partners", { body: { search: "" } });
const PUBLIC = [siteQuery.queryKey, brandsQuery.queryKey];

const never = new Promise<string>(() => undefined);

const somebody = (id: string) => ({ id, email: `${id}@turnkey.example` }) as SignedInUser;

function signIn(id: string) {
  act(() => begin(somebody(id), "token"));
}

function hold() {
  for (const key of [START, PARTNERS, ...PUBLIC]) cache.setQueryData(key, "of the first");
  invalidated.mockClear();
}

function Start({ queryFn }: { queryFn: () => Promise<string> }) {
  const { data } = useQuery({ queryKey: START, queryFn, staleTime: Number.POSITIVE_INFINITY });
  return <p>{data ?? "nothing"}</p>;
}

const provided = (page: ReactNode) => (
  <QueryClientProvider client={cache}>{page}</QueryClientProvider>
);
const shown = (queryFn: () => Promise<string>) => render(provided(<Start queryFn={queryFn} />));

function Rows({ page, queryFn }: { page: number; queryFn: () => Promise<string> }) {
  const { data } = useQuery({
    queryKey: ["rows", page],
    queryFn,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    placeholderData: keepPreviousData,
  });
  return <p>{data ?? "no rows"}</p>;
}

afterEach(() => {
  act(() => end());
  cache.clear();
});

test.each([
  ["ended elsewhere", () => end("elsewhere")],
  ["the second factor was turned off", () => end("mfa-off")],
  ["somebody else signed in", () => begin(somebody("b"), "token")],
  [
    "the session ran out, and one went on without it",
    () => {
      expire();
      end();
    },
  ],
])("what the last person saw is gone before the guards are asked: %s", (_, leave) => {
  signIn("a");
  hold();
  act(leave);
  expect(invalidated).toHaveBeenLastCalledWith(undefined);
  expect(cache.getQueryData(PARTNERS)).toBeUndefined();
  for (const key of PUBLIC) expect(cache.getQueryData(key)).toBe("of the first");
});

test("the first person known, and one who signs in again, find what is held", () => {
  hold();
  signIn("a");
  act(expire);
  signIn("a");
  expect(invalidated).toHaveBeenLastCalledWith("of the first");
  expect(cache.getQueryData(PARTNERS)).toBe("of the first");
});

test("what the page shows is asked for anew", async () => {
  signIn("a");
  hold();
  let answer: (text: string) => void = () => undefined;
  const asked = new Promise<string>((resolve) => {
    answer = resolve;
  });
  shown(() => asked);
  expect(screen.getByText("of the first")).toBeVisible();
  act(() => end("elsewhere"));
  expect(await screen.findByText("nothing")).toBeVisible();
  answer("of a visitor");
  expect(await screen.findByText("of a visitor")).toBeVisible();
});

test.each([
  ["is awaited", () => never, 1, "rows of the first"],
  ["has failed", () => Promise.reject(new Error("down")), 0, "no rows"],
])(
  "rows of the last person do not stand in for a page of the list that %s",
  async (_, second, fetching, before) => {
    signIn("a");
    cache.setQueryData(["rows", 1], "rows of the first");
    const queryFn = vi.fn(() => never).mockImplementationOnce(second);
    const { rerender } = render(provided(<Rows page={1} queryFn={queryFn} />));
    rerender(provided(<Rows page={2} queryFn={queryFn} />));
    await waitFor(() =>
      expect([queryFn.mock.calls.length, cache.isFetching()]).toEqual([1, fetching]),
    );
    expect(await screen.findByText(before)).toBeVisible();
    act(() => end("elsewhere"));
    await waitFor(() => expect(queryFn).toHaveBeenCalledTimes(2));
    expect(await screen.findByText("no rows")).toBeVisible();
    expect(screen.queryByText("rows of the first")).toBeNull();
  },
);

test("a page with an unsaved form stays as it is, and is forgotten when it is left", () => {
  signIn("a");
  hold();
  const form = renderHook(() => useUnsaved(true));
  const queryFn = vi.fn();
  const page = shown(queryFn);
  act(expire);
  act(() => end());
  expect(screen.getByText("of the first")).toBeVisible();
  expect(cache.getQueryData(PARTNERS)).toBeUndefined();
  form.unmount();
  page.unmount();
  expect(cache.getQueryData(START)).toBeUndefined();
  expect(queryFn).not.toHaveBeenCalled();
});
