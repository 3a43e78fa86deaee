import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import type { Scope, Unfinished } from "../queries";
import classes from "./carry-on.module.css";
import { UnfinishedList } from "./unfinished-list";

const EXACT = { exact: true, includeSearch: true };

/** Activations to carry on with: one's own, or all of one's dealer. */
export function CarryOn({ scope, first }: { scope: Scope; first: Unfinished }) {
  const { t } = useLingui();
  return (
    <section aria-labelledby="unfinished">
      <div className={classes.head}>
        <h2 id="unfinished">
          <Trans>Unfinished activations</Trans>
        </h2>
        <nav aria-label={t`Whose activations`} className={classes.scopes}>
          <Link to="/" search={{ scope: undefined }} activeOptions={EXACT}>
            <Trans>Mine</Trans>
          </Link>
          <Link to="/" search={{ scope: "dealer" }} activeOptions={EXACT}>
            <Trans>My dealer's</Trans>
          </Link>
        </nav>
      </div>
      <UnfinishedList key={scope} scope={scope} first={first} />
    </section>
  );
}
