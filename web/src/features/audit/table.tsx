import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { Status } from "~/shared/ui/status";
import classes from "./audit.module.css";
import type { AuditEntry } from "./queries";

/** Who did what, for whom, with what outcome. Narrow screens show each entry as a card. */
export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  const { t, i18n } = useLingui();
  const time = (at: string) => i18n.date(at, { dateStyle: "short", timeStyle: "medium" });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reached by the keyboard
    <section className={classes.scroll} tabIndex={0} aria-label={t`Entries`}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">
              <Trans>When</Trans>
            </th>
            <th scope="col">
              <Trans>Actor</Trans>
            </th>
            <th scope="col">
              <Trans>Action</Trans>
            </th>
            <th scope="col">
              <Trans>Object</Trans>
            </th>
            <th scope="col">
              <Trans>Outcome</Trans>
            </th>
            <th scope="col">
              <Trans>Reference</Trans>
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id}>
              <td>{time(entry.at)}</td>
              <td>
                {entry.actor}
                {entry.acting_for ? (
                  <small>
                    <Trans>for {entry.acting_for}</Trans>
                  </small>
                ) : null}
                {entry.partner_code ? <small>{entry.partner_code}</small> : null}
              </td>
              <td>{entry.action}</td>
              <td>
                {entry.object_kind}
                {entry.object_id ? <small>{named(entry)}</small> : null}
              </td>
              <td>
                {entry.outcome === "refused" ? (
                  <Status tone="fail">
                    <Trans>Refused</Trans>
                  </Status>
                ) : (
                  <Status tone="ok">
                    <Trans>Done</Trans>
                  </Status>
                )}
              </td>
              <td>
                <small>{entry.request_id}</small>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A person leads to their account, which can be locked there. */
function named({ object_kind, object_id }: AuditEntry) {
  if (object_kind !== "person" || !object_id || object_id === "unknown") return object_id;
  return (
    <Link to="/operations/account" search={{ who: object_id }}>
      {object_id}
    </Link>
  );
}
