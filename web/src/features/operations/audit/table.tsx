import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { RUN_KINDS } from "~/shared/api/run-kinds.gen";
import { momentInFigures } from "~/shared/time/day";
import { DataTable } from "~/shared/ui/lists/data-table";
import { EmptyState } from "~/shared/ui/lists/empty-state";
import { Status } from "~/shared/ui/notes/status";
import type { AuditEntry } from "./queries";

type AuditTableProps = { entries: readonly AuditEntry[] | undefined; narrowed: boolean };

/** Who did what, for whom, with what outcome. */
export function AuditTable({ entries, narrowed }: AuditTableProps) {
  const { t, i18n } = useLingui();
  return (
    <DataTable
      label={t`Entries`}
      rows={entries}
      keyOf={({ id }) => id}
      empty={
        <EmptyState
          action={
            narrowed ? (
              <Link to="/audit">
                <Trans>Show all entries</Trans>
              </Link>
            ) : (
              <Link to="/operations">
                <Trans>Operations</Trans>
              </Link>
            )
          }
        >
          {narrowed ? <Trans>No results found</Trans> : <Trans>Nothing was done yet.</Trans>}
        </EmptyState>
      }
      columns={[
        {
          head: t`When`,
          cell: ({ at }) => momentInFigures(i18n, at),
        },
        {
          head: t`Actor`,
          cell: ({ actor, acting_for, partner_code }) => (
            <>
              {actor}
              {acting_for ? (
                <small>
                  <Trans>for {acting_for}</Trans>
                </small>
              ) : null}
              {partner_code ? <small>{partner_code}</small> : null}
            </>
          ),
        },
        // As it is kept and looked for, in the portal's own language.
        { head: t`Action`, cell: ({ action }) => <span lang="en">{action}</span> },
        {
          head: t`Object`,
          cell: (entry) => (
            <>
              <span lang="en">{entry.object_kind}</span>
              {entry.object_id ? <small>{named(entry)}</small> : null}
            </>
          ),
        },
        {
          head: t`Outcome`,
          cell: (entry) => <Outcome of={entry} />,
        },
        { head: t`Reference`, cell: ({ request_id }) => <small>{request_id}</small> },
      ]}
    />
  );
}

function Outcome({ of: { outcome } }: { of: AuditEntry }) {
  switch (outcome) {
    case "done":
      return (
        <Status tone="ok">
          <Trans>Done</Trans>
        </Status>
      );
    case "accepted":
      return (
        <Status tone="wait">
          <Trans>Taken on</Trans>
        </Status>
      );
    case "refused":
      return (
        <Status tone="fail">
          <Trans>Refused</Trans>
        </Status>
      );
    default:
      // A later release's own word.
      return <Status tone="wait">{outcome}</Status>;
  }
}

/** A person leads to their account, which can be locked there; what was accepted to its run, which says what came of it. */
function named({ object_kind, object_id, outcome }: AuditEntry) {
  const kind = RUN_KINDS.find((one) => one === object_kind);
  if (kind && object_id && outcome === "accepted")
    return (
      <Link to="/operations/run" search={{ kind, id: object_id }}>
        {object_id}
      </Link>
    );
  if (object_kind !== "person" || !object_id || object_id === "unknown") return object_id;
  return (
    <Link to="/operations/account" search={{ who: object_id }}>
      {object_id}
    </Link>
  );
}
