import { matchQuery, type Query, type QueryKey } from "@tanstack/react-query";
import type { ClientPathsWithMethod, MaybeOptionalInit } from "openapi-fetch";
import { answered, client } from "./client";
import type { paths } from "./schema.gen";

type Method = "get" | "post"; // some questions of the specs are sent as a body
type PathOf<By extends Method> = ClientPathsWithMethod<typeof client, By>;
type InitOf<By extends Method, Path extends PathOf<By>> = MaybeOptionalInit<paths[Path], By>;

/** What a call says besides its operation: in its path, its query, its body. */
type Said = { params?: { path?: object; query?: object }; body?: unknown };
type Part<Whole> = Whole extends object ? { [Name in keyof Whole]?: Part<Whole[Name]> } : Whole;

/**
 * The key of an operation's answers: the operation, and what the call says. With a part of that, or nothing, it is the
 * beginning of the keys of all calls that say it.
 */
export function keyOf<By extends Method, Path extends PathOf<By>>(
  method: By,
  path: Path,
  init?: Part<InitOf<By, Path>>,
): QueryKey {
  const { params, body } = (init ?? {}) as Said; // whatever the operation is, its call has this shape
  const all = { ...params?.path, ...params?.query, ...(body as object | undefined) };
  const said = Object.entries(all).filter(([, value]) => value !== undefined);
  return said.length > 0 ? [method, path, Object.fromEntries(said)] : [method, path];
}

/** Key and call of an operation, for the options of a query. */
export function asking<By extends Method, Path extends PathOf<By>>(
  method: By,
  path: Path,
  init: InitOf<By, Path>,
) {
  return {
    queryKey: keyOf(method, path, init as Part<InitOf<By, Path>>),
    // what an operation needs is said in `init`, by its type; the rest of a call is always left out
    queryFn: () =>
      answered(client.request<By, Path, InitOf<By, Path>>(method, path, init as never)),
  };
}

/** The same of an operation that answers a page at a time: `page` says its call at a cursor, and at none for the first. */
export function askingPages<By extends Method, Path extends PathOf<By>>(
  method: By,
  path: Path,
  page: (at: string | undefined) => InitOf<By, Path>,
) {
  return {
    queryKey: keyOf(method, path, page(undefined) as Part<InitOf<By, Path>>),
    queryFn: ({ pageParam }: { pageParam: string | undefined }) =>
      asking(method, path, page(pageParam)).queryFn(),
    initialPageParam: undefined as string | undefined,
  };
}

/** The queries that any of these keys begins, for filters. */
export function anyOf(...keys: readonly QueryKey[]) {
  return (query: Query): boolean => keys.some((queryKey) => matchQuery({ queryKey }, query));
}

/** The queries of all operations below a path, for filters. */
export function below(path: string) {
  return ({ queryKey }: Query): boolean =>
    typeof queryKey[1] === "string" && `${queryKey[1]}/`.startsWith(`${path}/`);
}
