import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Age } from "~/shared/time/age";
import { DataTable } from "~/shared/ui/lists/data-table";
import { NoteForm, useNoted } from "../note-form";
import classes from "../operations.module.css";
import { DocumentLink, isDocument } from "../runs/document-link";
import { type Difference, settleDifference } from "./queries";
import { DIFFERENCE_WORDS } from "./words";

type TableProps = {
  rows: readonly Difference[] | undefined;
  busy: boolean;
  empty: ReactNode;
};

export function DifferenceTable({ rows, busy, empty }: TableProps) {
  const { t, i18n } = useLingui();
  return (
    <DataTable
      label={t`List of differences`}
      rows={rows}
      busy={busy}
      keyOf={({ id }) => id}
      empty={empty}
      columns={[
        {
          head: t`Difference`,
          names: true,
          cell: ({ kind }) => i18n._(DIFFERENCE_WORDS[kind].name),
        },
        { head: t`About`, cell: (one) => <Things of={one} /> },
        { head: t`Here`, cell: ({ here }) => here || "–" },
        { head: t`There`, cell: ({ there }) => there || "–" },
        { head: t`Found`, cell: ({ found_at }) => <Age since={found_at} /> },
        { head: t`What to do`, cell: (one) => <ToDo of={one} /> },
      ]}
    />
  );
}

/** What it concerns: the run that made it, the business, the provider's own name of the charge. */
function Things({ of }: { of: Difference }) {
  const { t } = useLingui();
  return (
    <span className={classes.links}>
      {of.about.length === 0 && !of.partner_code && !of.charge_id ? "–" : null}
      {of.about.map((thing) => {
        const key = `${thing.kind} ${thing.id}`;
        const kind = RUN_OF[thing.kind];
        return kind && thing.run_id ? (
          <Link key={key} to="/operations/run" search={{ kind, id: thing.run_id }}>
            {thing.name}
          </Link>
        ) : isDocument(thing.kind) ? (
          <DocumentLink key={key} kind={thing.kind} id={thing.id}>
            {thing.name}
          </DocumentLink>
        ) : (
          <span key={key}>{thing.name}</span>
        );
      })}
      {of.partner_code ? (
        <Link
          to="/audit"
          search={{ partner_code: of.partner_code }}
          aria-label={t`${of.partner_code} in the audit`}
        >
          {of.partner_code}
        </Link>
      ) : null}
      {of.charge_id ? <small>{of.charge_id}</small> : null}
    </span>
  );
}

const RUN_OF = {
  order: "placement",
  placement: "placement",
  purchase: "purchase",
  invoice_payment: "invoice_payment",
  invoice: undefined,
  credit_memo: undefined,
  partner: undefined,
} as const;

/** What to do about an open one, and the word that settles it; of others, what was done. */
function ToDo({ of }: { of: Difference }) {
  const { i18n } = useLingui();
  if (of.state === "settled")
    return (
      <>
        {of.note}
        <small>{of.settled_by}</small>
      </>
    );
  return (
    <div className={classes.settle}>
      <span>{i18n._(DIFFERENCE_WORDS[of.kind].advice)}</span>
      {of.state === "open" ? <Settle of={of} /> : null}
    </div>
  );
}

function Settle({ of }: { of: Difference }) {
  const { t, i18n } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const { busy, act, ...noted } = useNoted("/v1/operations/reconciliation");
  const name = of.about[0]?.name ?? of.charge_id ?? i18n._(DIFFERENCE_WORDS[of.kind].name);

  if (!isOpen)
    return (
      <Button
        variant="default"
        aria-label={t`Settle: ${name}`}
        aria-expanded={false}
        onClick={() => setOpen(true)}
      >
        <Trans>Settle</Trans>
      </Button>
    );
  return (
    <NoteForm
      of={noted}
      autoFocus
      label={t`What was done about it`}
      onSend={(note) => act((key) => settleDifference(of.id, note, key), [of.id, note])}
    >
      <Button type="submit" loading={busy}>
        <Trans>Take it off the list</Trans>
      </Button>
    </NoteForm>
  );
}
