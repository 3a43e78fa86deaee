import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import classes from "../operations.module.css";
import type { Thing } from "../queries";
import { THING_WORDS } from "../words";
import { DocumentLink, isDocument } from "./document-link";

type ThingsProps = { label: string; things: readonly Thing[] };

/** Each leads to all runs about it, a person to their account besides. */
export function Things({ label, things }: ThingsProps) {
  const { i18n, t } = useLingui();
  return (
    <ul className={classes.things} aria-label={label}>
      {things.map((thing) => (
        <li key={`${thing.kind} ${thing.id}`}>
          <small>{i18n._(THING_WORDS[thing.kind])}</small>
          <Link to="/operations" search={{ shown: "all", subject: wordFor(thing) }}>
            {thing.name}
          </Link>
          {thing.note ? <small>{thing.note}</small> : null}
          {isDocument(thing.kind) ? (
            <DocumentLink kind={thing.kind} id={thing.id} aria-label={t`Open ${thing.name}`}>
              <Trans context="button">Open</Trans>
            </DocumentLink>
          ) : null}
          {thing.kind === "person" ? (
            <Link to="/operations/account" search={{ who: thing.id }}>
              <Trans>Account</Trans>
            </Link>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

/** What finds this thing and no other of its name. */
function wordFor({ kind, id, name }: Thing): string {
  return kind === "order" ? name : id;
}
