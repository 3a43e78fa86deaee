import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Button, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { KeepCsv } from "~/shared/files/keep-csv";
import { AccountBox } from "~/shared/partners/account-box";
import { keepsMethods } from "~/shared/session/rights";
import { useBusiness, useSession } from "~/shared/session/session";
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
import { type InvoicesAddress, type InvoicesQuery, TABS, tabOf } from "./address";
import { AgeingTotals } from "./ageing";
import { PayingWell } from "./paying-well";
import { exported, type InvoiceSummary, invoicesQuery } from "./queries";
import { Selected } from "./selected";
import { isPayable, refresh, select, useSelection } from "./selection";
import { InvoicesTable } from "./table";
import { TAB_WORDS } from "./words";

/** The invoices of the business. The address alone says which are shown; what is selected stays from page to page. Whoever
 * reads them and may not pay is offered to select none. */
export function InvoicesScreen({ address }: { address: InvoicesAddress }) {
  const { t, i18n } = useLingui();
  const navigate = useNavigate();
  const wanted = wantedIn(address);
  const found = useQuery(invoicesQuery(wanted));
  const selection = useSelection();
  const business = useBusiness()?.code;
  const pays = keepsMethods(useSession());
  const count = found.data?.count ?? 0;
  const pages = Math.ceil(count / wanted.rows);
  const looked = `${wanted.term} ${wanted.from} ${wanted.to}`;
  const settled = found.isSuccess && !found.isPlaceholderData;
  const invoices = found.data?.results;

  function change(next: Partial<InvoicesQuery>) {
    void navigate({
      to: "/invoice/{-$id}",
      params: { id: undefined },
      search: addressOf({ ...wanted, page: 1, ...next }),
    });
  }

  useEffect(() => {
    if (!settled || pages === 0 || wanted.page <= pages) return;
    const search = addressOf({ ...wanted, page: pages });
    void navigate({ to: "/invoice/{-$id}", params: { id: undefined }, search, replace: true });
  });

  useEffect(() => {
    if (invoices) refresh(invoices);
  }, [invoices]);

  return (
    <div className={classes.page}>
      <Heading focusKey={`${wanted.page} ${looked}`}>
        <Trans>Invoices</Trans>
      </Heading>
      <AccountBox />
      <ListFilters
        key={looked}
        label={t`Invoice, order or PO number`}
        wanted={wanted}
        sorts={SORTS}
        words={SORT_WORDS}
        onChange={change}
      />
      <div className={classes.actions}>
        <Link to="/statement">
          <Trans>Statement of account</Trans>
        </Link>
        <Link to="/credit-memo/{-$id}" params={{ id: undefined }}>
          <Trans>Credit memos</Trans>
        </Link>
      </div>
      {found.isError ? (
        <ListRefusal error={found.error} onRetry={() => void found.refetch()}>
          <Trans>
            Each business has invoices of its own. Select the business that you work for.
          </Trans>
        </ListRefusal>
      ) : null}
      {isLost(found) ? null : !found.data ? (
        <Skeleton height={420} radius="lg" aria-busy="true" />
      ) : (
        <>
          <AgeingTotals
            totals={found.data.ageing}
            chosen={wanted.status}
            onChoose={(status) => change({ status })}
          />
          {pays && found.data.ageing.some(({ count }) => count > 0) ? (
            <PayingWell key={business} />
          ) : null}
          <StatusTabs
            tabs={TABS.map((tab) => ({
              tab,
              words: i18n._(TAB_WORDS[tab]),
              count: found.data.counts[tab] ?? 0,
            }))}
            present={tabOf(wanted.status)}
            everything={<Trans context="invoices">All</Trans>}
            all={found.data.countOfAll}
            link={(status, props) => (
              <Link
                to="/invoice/{-$id}"
                params={{ id: undefined }}
                search={addressOf({ ...wanted, status, page: 1 })}
                {...props}
              />
            )}
          />
          {count > 0 ? (
            <div className={classes.head}>
              <p role="status">
                <Plural value={count} one="# invoice" other="# invoices" />
              </p>
              <div className={classes.actions}>
                {pays ? <SelectPage invoices={invoices ?? []} /> : null}
                <KeepCsv name="invoices.csv" ask={(language) => exported(wanted, language)} />
              </div>
            </div>
          ) : null}
          <InvoicesTable
            invoices={invoices}
            busy={found.isPlaceholderData}
            selection={pays ? selection : undefined}
            empty={<Nothing narrowed={isNarrowed(wanted)} />}
          />
          <PageLinks
            present={wanted.page}
            pages={pages}
            link={(page, props) => (
              <Link
                to="/invoice/{-$id}"
                params={{ id: undefined }}
                search={addressOf({ ...wanted, page })}
                {...props}
              />
            )}
          />
        </>
      )}
      {pays ? <Selected selection={selection} /> : null}
    </div>
  );
}

function SelectPage({ invoices }: { invoices: readonly InvoiceSummary[] }) {
  const payable = invoices.filter(isPayable);
  if (payable.length === 0) return null;
  return (
    <Button variant="default" size="md" onClick={() => select(payable)}>
      <Trans>Select this page</Trans>
    </Button>
  );
}

function Nothing({ narrowed }: { narrowed: boolean }) {
  if (!narrowed) {
    return (
      <EmptyState
        action={
          <Link to="/statement">
            <Trans>Statement of account</Trans>
          </Link>
        }
      >
        <Trans>An invoice appears here as soon as something was shipped.</Trans>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      action={
        <Link to="/invoice/{-$id}" params={{ id: undefined }}>
          <Trans>Show all invoices</Trans>
        </Link>
      }
    >
      <Trans>No invoice fits.</Trans>
    </EmptyState>
  );
}
