import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { problemOf } from "~/shared/api/errors";
import { land } from "../hand-on";
import { NotKept } from "../notes/as-of";
import { Note, ProblemNote } from "../notes/note";
import { useOnline } from "../notes/offline-bar";

/** What a list that comes in pages tells of itself: the answer of `useInfiniteQuery`. */
type Pages = {
  data: unknown;
  isError: boolean;
  /** It waits for a network. */
  isPaused: boolean;
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

/**
 * Fetches the next page of a list, which needs a signal; nothing when there is none. The focus that the button loses
 * meanwhile comes back to it, or goes to the first row that came where the last page leaves no button.
 */
export function ShowMore({ of, className, children }: ShowMoreProps) {
  const online = useOnline();
  const button = useRef<HTMLButtonElement>(null);
  const last = useRef<Element>(undefined);
  useEffect(() => {
    if (of.isFetchingNextPage || !last.current) return;
    land(button.current ?? last.current.nextElementSibling ?? last.current);
    last.current = undefined;
  }, [of.isFetchingNextPage]);

  if (!of.hasNextPage) return null;
  if (!online)
    return (
      <Note tone="plain">
        <Trans>There is more. It can be shown when the signal is back.</Trans>
      </Note>
    );
  return (
    <Button
      ref={button}
      variant="default"
      size="md"
      className={className}
      loading={of.isFetchingNextPage}
      onClick={({ currentTarget }) => {
        last.current = lastRowBefore(currentTarget);
        void of.fetchNextPage();
      }}
    >
      {children ?? <Trans>Show more</Trans>}
    </Button>
  );
}

function lastRowBefore(button: HTMLElement): Element | undefined {
  const rows = [...(button.parentElement?.querySelectorAll("tr, li") ?? [])];
  return rows.findLast(
    (row) => row.compareDocumentPosition(button) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
}

/** A table whose rows come in pages: why they do not come, the table, and the way to more. */
export function Paged({ of, children }: { of: Pages; children: ReactNode }) {
  return (
    <>
      {of.isError ? (
        <ProblemNote problem={problemOf(of.error)} onRetry={() => void of.refetch()} />
      ) : null}
      {of.data !== undefined ? children : of.isPaused ? <NotKept /> : of.isError ? null : children}
      <ShowMore of={of} />
    </>
  );
}
