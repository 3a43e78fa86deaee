import { Trans } from "@lingui/react/macro";
import { Button, Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import { problemOf } from "~/shared/api/errors";
import { ProblemNote } from "./note";

/** What a list that comes in pages tells of itself: the answer of `useInfiniteQuery`. */
type Pages = {
  isPending: boolean;
  isSuccess: boolean;
  isError: boolean;
  error: unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  refetch: () => unknown;
  fetchNextPage: () => unknown;
};

type ShowMoreProps = {
  of: Pick<Pages, "hasNextPage" | "isFetchingNextPage" | "fetchNextPage">;
  className?: string;
  children?: ReactNode;
};

/** Fetches the next page of a list; nothing when there is none. */
export function ShowMore({ of, className, children }: ShowMoreProps) {
  if (!of.hasNextPage) return null;
  return (
    <Button
      variant="default"
      size="md"
      className={className}
      loading={of.isFetchingNextPage}
      onClick={() => void of.fetchNextPage()}
    >
      {children ?? <Trans>Show more</Trans>}
    </Button>
  );
}

/** A list in pages, in each of its states; `children` is the list of `count` rows. */
export function Paged({ of, count, children }: { of: Pages; count: number; children: ReactNode }) {
  return (
    <>
      {of.isPending ? <Skeleton height={220} radius="lg" /> : null}
      {of.isError ? (
        <ProblemNote problem={problemOf(of.error)} onRetry={() => void of.refetch()} />
      ) : null}
      {of.isSuccess && count === 0 ? (
        <p role="status">
          <Trans>No results found</Trans>
        </p>
      ) : null}
      {count > 0 ? children : null}
      <ShowMore of={of} />
    </>
  );
}
