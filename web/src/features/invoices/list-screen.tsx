import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Button, Checkbox, Skeleton, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { tellProblem } from "~/shared/alerts/alerts";
import { dollars } from "~/shared/catalogue/money";
import { CONSTANTS } from "~/shared/constants";
import { download } from "~/shared/files/download";
import { Choice } from "~/shared/ui/choice";
import { Heading } from "~/shared/ui/heading";
import { PageLinks } from "~/shared/ui/page-links";
import { Panel } from "~/shared/ui/panel";
import { Status } from "~/shared/ui/status";
import {
  addressOf,
  type InvoiceStatus,
  type InvoicesAddress,
  type InvoicesWanted,
  SORTS,
  STATUSES,
  wantedIn,
} from "./address";
import classes from "./invoices.module.css";
import { Refusal } from "./parts/refusal";
import table from "./parts/table.module.css";
import { exported, type InvoiceCard, invoicesQuery } from "./queries";
import { type Selection, sumOf, toggled } from "./selection";
import { SORT_WORDS, STATUS_WORDS } from "./words";

/** The invoices of the business. The address alone says which are shown; what is ticked stays from page to page. */
export function InvoicesScreen({ address }: { address: InvoicesAddress }) {
  const { i18n } = useLingui();
  const navigate = useNavigate();
  const [selection, setSelection] = useState<Selection>(new Map());
  const wanted = wantedIn(address);
  const found = useQuery(invoicesQuery(wanted));

  function change(next: Partial<InvoicesWanted>) {
    void navigate({ to: "/invoice/{-$id}", search: addressOf({ ...wanted, page: 1, ...next }) });
  }

  async function save() {
    try {
      download("invoices.csv", await exported(wanted, i18n.locale));
    } catch (cause) {
      tellProblem(cause);
    }
  }

  return (
    <div className={classes.page}>
      <Heading focusKey={String(wanted.page)}>
        <Trans>Invoices</Trans>
      </Heading>
      <Panel>
        <Filters key={wanted.term} wanted={wanted} onChange={change} />
      </Panel>
      {found.isError ? (
        <Refusal error={found.error} onRetry={() => void found.refetch()} />
      ) : found.isPending ? (
        <Skeleton height={420} radius="lg" />
      ) : (
        <>
          <div className={classes.ageing}>
            {found.data.ageing.map(({ bucket, amount }) => (
              <Button
                key={bucket}
                variant={wanted.status === bucket ? "filled" : "default"}
                aria-pressed={wanted.status === bucket}
                onClick={() => change({ status: wanted.status === bucket ? undefined : bucket })}
              >
                {i18n._(STATUS_WORDS[bucket])}: {dollars(i18n, amount.amount)}
              </Button>
            ))}
          </div>
          <div className={classes.head}>
            <p role="status">
              <Plural
                value={found.data.count}
                _0="No invoice fits."
                one="# invoice"
                other="# invoices"
              />
            </p>
            <Selected selection={selection} />
            <Button variant="default" size="md" onClick={() => void save()}>
              <Trans>Download as CSV</Trans>
            </Button>
          </div>
          {found.data.count > 0 ? (
            <Rows
              invoices={found.data.results}
              busy={found.isPlaceholderData}
              selection={selection}
              onToggle={(invoice) => setSelection(toggled(selection, invoice))}
            />
          ) : null}
          <PageLinks
            present={wanted.page}
            pages={Math.ceil(found.data.count / wanted.rows)}
            link={(page, props) => (
              <Link to="/invoice/{-$id}" search={addressOf({ ...wanted, page })} {...props} />
            )}
          />
        </>
      )}
    </div>
  );
}

function Selected({ selection }: { selection: Selection }) {
  const { i18n } = useLingui();
  const { count, toPay, discount } = sumOf(selection);
  if (count === 0) return null;
  const sum = dollars(i18n, toPay);
  const saved = dollars(i18n, discount);
  return (
    <p role="status">
      <Plural
        value={count}
        one={`# selected: ${sum}, discount ${saved}`}
        other={`# selected: ${sum}, discount ${saved}`}
      />
    </p>
  );
}

type RowsProps = {
  invoices: readonly InvoiceCard[];
  busy: boolean;
  selection: Selection;
  onToggle: (invoice: InvoiceCard) => void;
};

/** Invoices in rows; on narrow screens each is a card. */
function Rows({ invoices, busy, selection, onToggle }: RowsProps) {
  const { i18n, t } = useLingui();
  const day = (on: string) => i18n.date(`${on}T12:00:00`, { dateStyle: "medium" });
  return (
    <table className={table.table} aria-label={t`Invoices`} aria-busy={busy}>
      <thead>
        <tr>
          <th scope="col">
            <Trans>Invoice</Trans>
          </th>
          <th scope="col">
            <Trans>Date</Trans>
          </th>
          <th scope="col">
            <Trans>Due</Trans>
          </th>
          <th scope="col">
            <Trans>PO number</Trans>
          </th>
          <th scope="col">
            <Trans>Status</Trans>
          </th>
          <th scope="col" className={table.figure}>
            <Trans>Total</Trans>
          </th>
          <th scope="col" className={table.figure}>
            <Trans>Balance</Trans>
          </th>
        </tr>
      </thead>
      <tbody>
        {invoices.map((invoice) => (
          <tr key={invoice.number}>
            <th scope="row">
              <Checkbox
                aria-label={t`Select ${invoice.number}`}
                disabled={invoice.isPaid}
                checked={selection.has(invoice.number)}
                onChange={() => onToggle(invoice)}
              />
              <Link to="/invoice/{-$id}" params={{ id: invoice.id }}>
                {invoice.number}
              </Link>
            </th>
            <td data-label={t`Date`}>{day(invoice.create_date)}</td>
            <td data-label={t`Due`}>{day(invoice.due_date)}</td>
            <td data-label={t`PO number`} className={table.breaking}>
              {invoice.poNumber ?? "—"}
            </td>
            <td data-label={t`Status`}>
              <InvoiceState invoice={invoice} />
            </td>
            <td data-label={t`Total`} className={table.figure}>
              {dollars(i18n, invoice.invoice_total.amount)}
            </td>
            <td data-label={t`Balance`} className={table.figure}>
              {dollars(i18n, invoice.balance.amount)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function InvoiceState({ invoice }: { invoice: InvoiceCard }) {
  const { i18n } = useLingui();
  const status = invoice.isPaid ? "paid" : invoice.isPastDue ? "past_due" : "open";
  const tone = invoice.isPaid ? "ok" : invoice.isPastDue ? "fail" : "wait";
  return <Status tone={tone}>{i18n._(STATUS_WORDS[status])}</Status>;
}

type FiltersProps = { wanted: InvoicesWanted; onChange: (next: Partial<InvoicesWanted>) => void };

function Filters({ wanted, onChange }: FiltersProps) {
  const { t, i18n } = useLingui();
  const [term, setTerm] = useState(wanted.term);

  function search(event: FormEvent) {
    event.preventDefault();
    onChange({ term: term.trim() });
  }

  return (
    <form className={classes.filters} onSubmit={search}>
      <TextInput
        size="md"
        type="search"
        label={t`Invoice, order or PO number`}
        autoComplete="off"
        maxLength={80}
        value={term}
        onChange={(event) => setTerm(event.currentTarget.value)}
      />
      <Choice<InvoiceStatus | "">
        label={t`Status`}
        value={wanted.status ?? ""}
        options={[
          { value: "", label: t`All` },
          ...STATUSES.map((value) => ({ value, label: i18n._(STATUS_WORDS[value]) })),
        ]}
        onChange={(status) => onChange({ status: status || undefined })}
      />
      <Choice
        label={t`Sort by`}
        value={wanted.sort}
        options={SORTS.map((value) => ({ value, label: i18n._(SORT_WORDS[value]) }))}
        onChange={(sort) => onChange({ sort })}
      />
      <Choice
        label={t`Per page`}
        value={String(wanted.rows)}
        options={CONSTANTS.tablePageSizes.map((n) => ({ value: String(n), label: String(n) }))}
        onChange={(value) =>
          onChange({ rows: CONSTANTS.tablePageSizes.find((n) => String(n) === value) })
        }
      />
      <Button type="submit" size="md">
        <Trans>Search</Trans>
      </Button>
    </form>
  );
}
