import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { KeepCsv } from "~/shared/files/keep-csv";
import { EmptyState } from "~/shared/ui/lists/empty-state";
import { ListFilters } from "~/shared/ui/lists/list-filters";
import { ListRefusal } from "~/shared/ui/lists/list-refusal";
import { PageLinks } from "~/shared/ui/lists/page-links";
import { StatusTabs } from "~/shared/ui/lists/status-tabs";
import { isLost } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import { addressOf, isNarrowed, SORTS, wantedIn } from "../documents/address";
import classes from "../documents/documents.module.css";
import { SORT_WORDS } from "../documents/words";
import { MEMO_STATUSES, type MemosAddress, type MemosQuery } from "./address";
import { exported, memosQuery } from "./queries";
import { MemosTable } from "./table";
import { MEMO_TAB_WORDS } from "./words";

/** A memo is due on no day. */
const MEMO_SORTS = SORTS.filter((sort) => !sort.startsWith("due"));

/** The credit memos of the business. The address alone says which are shown. */
export function CreditMemosScreen({ address }: { address: MemosAddress }) {
  const { t, i18n } = useLingui();
  const navigate = useNavigate();
  const wanted = wantedIn(address);
  const found = useQuery(memosQuery(wanted));
  const count = found.data?.count ?? 0;
  const pages = Math.ceil(count / wanted.rows);
  const looked = `${wanted.term} ${wanted.from} ${wanted.to}`;
  const settled = found.isSuccess && !found.isPlaceholderData;

  function change(next: Partial<MemosQuery>) {
    void navigate({
      to: "/credit-memo/{-$id}",
      params: { id: undefined },
      search: addressOf({ ...wanted, page: 1, ...next }),
    });
  }

  useEffect(() => {
    if (!settled || pages === 0 || wanted.page <= pages) return;
    const search = addressOf({ ...wanted, page: pages });
    void navigate({ to: "/credit-memo/{-$id}", params: { id: undefined }, search, replace: true });
  });

  return (
    <div className={classes.page}>
      <Heading focusKey={`${wanted.page} ${looked}`}>
        <Trans>Credit memos</Trans>
      </Heading>
      <ListFilters
        key={looked}
        label={t`Credit memo or invoice number`}
        wanted={wanted}
        sorts={MEMO_SORTS}
        words={SORT_WORDS}
        onChange={change}
      />
      {found.isError ? (
        <ListRefusal error={found.error} onRetry={() => void found.refetch()}>
          <Trans>
            Each business has credit memos of its own. Select the business that you work for.
          </Trans>
        </ListRefusal>
      ) : null}
      {isLost(found) ? null : (
        <>
          <StatusTabs
            tabs={MEMO_STATUSES.map((tab) => ({
              tab,
              words: i18n._(MEMO_TAB_WORDS[tab]),
              count: found.data ? (found.data.counts[tab] ?? 0) : undefined,
            }))}
            present={wanted.status}
            everything={<Trans context="credit memos">All</Trans>}
            link={(status, props) => (
              <Link
                to="/credit-memo/{-$id}"
                params={{ id: undefined }}
                search={addressOf({ ...wanted, status, page: 1 })}
                {...props}
              />
            )}
          />
          {count > 0 ? (
            <div className={classes.head}>
              <p role="status">
                <Plural value={count} one="# credit memo" other="# credit memos" />
              </p>
              <KeepCsv name="credit-memos.csv" ask={(language) => exported(wanted, language)} />
            </div>
          ) : null}
          <MemosTable
            memos={found.data?.results}
            busy={found.isPlaceholderData}
            empty={<Nothing narrowed={isNarrowed(wanted)} />}
          />
          <PageLinks
            present={wanted.page}
            pages={pages}
            link={(page, props) => (
              <Link
                to="/credit-memo/{-$id}"
                params={{ id: undefined }}
                search={addressOf({ ...wanted, page })}
                {...props}
              />
            )}
          />
        </>
      )}
    </div>
  );
}

function Nothing({ narrowed }: { narrowed: boolean }) {
  if (!narrowed) {
    return (
      <EmptyState
        action={
          <Link to="/invoice/{-$id}" params={{ id: undefined }}>
            <Trans>All invoices</Trans>
          </Link>
        }
      >
        <Trans>A credit memo appears here when something is credited to your business.</Trans>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      action={
        <Link to="/credit-memo/{-$id}" params={{ id: undefined }}>
          <Trans>Show all credit memos</Trans>
        </Link>
      }
    >
      <Trans>No credit memo fits.</Trans>
    </EmptyState>
  );
}
