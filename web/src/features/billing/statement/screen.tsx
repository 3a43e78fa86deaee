import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Button, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { dollars } from "~/shared/catalogue/money";
import { KeepCsv } from "~/shared/files/keep-csv";
import { KeepPdf } from "~/shared/files/keep-pdf";
import { DayFields, dayRules, daysGiven } from "~/shared/forms/days";
import { useFields } from "~/shared/forms/fields";
import { AccountBox } from "~/shared/partners/account-box";
import { dayInWords } from "~/shared/time/day";
import { DataTable } from "~/shared/ui/lists/data-table";
import { EmptyState } from "~/shared/ui/lists/empty-state";
import { ListRefusal } from "~/shared/ui/lists/list-refusal";
import { PageLinks } from "~/shared/ui/lists/page-links";
import { Term, Terms } from "~/shared/ui/lists/totals";
import { isLost } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "../documents/documents.module.css";
import { kindInWords } from "../documents/words";
import { AgeingTotals } from "../invoices/ageing";
import { ROWS, type StatementAddress } from "./address";
import { exported, type Statement, type StatementEntry, statementQuery } from "./queries";

/** Entries of a statement (`LONGEST` in `domain/billing/invoices/statement.py`). */
const MOST_ON_PAPER = 5000;

/** The statement of account: what was owed, what happened in some days, what was owed after each. */
export function StatementScreen({ address }: { address: StatementAddress }) {
  const found = useQuery(statementQuery(address));
  const days = `${address.from} ${address.to}`;
  return (
    <div className={classes.page}>
      <Heading focusKey={`${address.p} ${days}`}>
        <Trans>Statement of account</Trans>
      </Heading>
      <AccountBox />
      <Days key={days} address={address} />
      {found.isError ? (
        <ListRefusal error={found.error} onRetry={() => void found.refetch()}>
          <Trans>
            Each business has a statement of its own. Select the business that you work for.
          </Trans>
        </ListRefusal>
      ) : null}
      {isLost(found) ? null : !found.data ? (
        <Skeleton height={560} radius="lg" aria-busy="true" />
      ) : (
        <Shown statement={found.data} busy={found.isPlaceholderData} address={address} />
      )}
    </div>
  );
}

function Days({ address }: { address: StatementAddress }) {
  const navigate = useNavigate();
  const form = useFields(dayRules(address.from, address.to), { leavable: true });

  function show(days: typeof form.texts) {
    void navigate({ to: "/statement", search: daysGiven(days) });
  }

  return (
    <Panel className={classes.days}>
      <form onSubmit={form.submit(show)}>
        <DayFields form={form} />
        <Button type="submit" size="md">
          <Trans>Show</Trans>
        </Button>
      </form>
    </Panel>
  );
}

type ShownProps = { statement: Statement; busy: boolean; address: StatementAddress };

function Shown({ statement, busy, address }: ShownProps) {
  const navigate = useNavigate();
  return (
    <>
      <Sums statement={statement} />
      <section className={classes.section} aria-labelledby="open-today">
        <h2 id="open-today">
          <Trans>Open today, by age</Trans>
        </h2>
        <AgeingTotals
          totals={statement.ageing}
          chosen={undefined}
          onChoose={(status) =>
            void navigate({ to: "/invoice/{-$id}", params: { id: undefined }, search: { status } })
          }
        />
      </section>
      <Entries entries={statement.results} busy={busy} />
      <PageLinks
        present={statement.page}
        pages={Math.ceil(statement.count / ROWS)}
        link={(page, props) => (
          <Link
            to="/statement"
            search={{ ...address, p: page > 1 ? page : undefined }}
            {...props}
          />
        )}
      />
    </>
  );
}

function Sums({ statement }: { statement: Statement }) {
  const { i18n, t } = useLingui();
  const { from, to, count, page, results, openingBalance, closingBalance } = statement;
  const firstEntry = (page - 1) * ROWS + 1;
  const lastEntry = firstEntry + results.length - 1;
  const onPaper = i18n.number(MOST_ON_PAPER);
  const first = dayInWords(i18n, from);
  const last = dayInWords(i18n, to);
  return (
    <>
      <Panel className={classes.figures} aria-label={t`Balance`}>
        <Terms>
          <Term name={<Trans>Balance before {first}</Trans>}>
            {dollars(i18n, openingBalance.amount)}
          </Term>
          <Term isTotal name={<Trans>Balance on {last}</Trans>}>
            {dollars(i18n, closingBalance.amount)}
          </Term>
        </Terms>
      </Panel>
      <div className={classes.head}>
        <p role="status">
          <Plural value={count} _0="No entries" one="# entry" other="# entries" />
          {count > results.length && results.length > 0 ? (
            <>
              {" "}
              {count > MOST_ON_PAPER ? (
                <Trans>
                  ({firstEntry} to {lastEntry} on this page; the first {onPaper} in the PDF, all of
                  them in the CSV)
                </Trans>
              ) : (
                <Trans>
                  ({firstEntry} to {lastEntry} on this page; all of them in the PDF)
                </Trans>
              )}
            </>
          ) : null}
        </p>
        <div className={classes.actions}>
          <Button variant="default" size="md" onClick={() => window.print()}>
            <Trans>Print</Trans>
          </Button>
          <KeepPdf path={`/v1/statement.pdf?from=${from}&to=${to}`} name={`statement-${to}.pdf`} />
          <KeepCsv name={`statement-${to}.csv`} ask={(language) => exported(from, to, language)} />
        </div>
      </div>
    </>
  );
}

type EntriesProps = { entries: readonly StatementEntry[]; busy: boolean };

function Entries({ entries, busy }: EntriesProps) {
  const { i18n, t } = useLingui();
  return (
    <DataTable
      label={t`Entries`}
      rows={entries}
      keyOf={({ kind, number }, place) => `${kind} ${number} ${place}`}
      busy={busy}
      empty={
        <EmptyState
          action={
            <Link to="/invoice/{-$id}" params={{ id: undefined }}>
              <Trans>All invoices</Trans>
            </Link>
          }
        >
          <Trans>Nothing happened on the account in these days.</Trans>
        </EmptyState>
      }
      columns={[
        { head: t`Number`, names: true, cell: (entry) => <NumberOf entry={entry} /> },
        { head: t`Kind`, cell: ({ kind }) => kindInWords(i18n, kind) },
        { head: t`Date`, cell: ({ date }) => dayInWords(i18n, date) },
        { head: t`Amount`, as: "figure", cell: ({ amount }) => dollars(i18n, amount.amount) },
        { head: t`Balance`, as: "figure", cell: ({ balance }) => dollars(i18n, balance.amount) },
      ]}
    />
  );
}

/** Leads to the document; a payment to the invoice that it was for. */
function NumberOf({ entry: { kind, number, invoiceNumber } }: { entry: StatementEntry }) {
  if (kind === "credit_memo") {
    return (
      <Link to="/credit-memo/{-$id}" params={{ id: number }}>
        {number}
      </Link>
    );
  }
  if (invoiceNumber === null) return number;
  return (
    <Link to="/invoice/{-$id}" params={{ id: invoiceNumber }}>
      {number}
    </Link>
  );
}
