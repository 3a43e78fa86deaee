import { Trans } from "@lingui/react/macro";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { problemOf } from "~/shared/api/errors";
import { ProblemNote } from "~/shared/ui/notes/note";
import { unfinishedQuery } from "../queries";
import classes from "./carry-on.module.css";
import { UnfinishedList } from "./unfinished-list";

/** One's own unfinished activations beneath the way to a new one; nothing where there are none. */
export default function UnfinishedHere() {
  const { data, error, refetch } = useInfiniteQuery(unfinishedQuery("mine"));
  const first = data?.pages[0];
  if (!first)
    return error ? <ProblemNote problem={problemOf(error)} onRetry={() => void refetch()} /> : null;
  if (first.results.length === 0) return null;
  return (
    <section aria-labelledby="unfinished" className={classes.beneath}>
      <div className={classes.head}>
        <h2 id="unfinished">
          <Trans>Unfinished activations</Trans>
        </h2>
        <Link to="/" search={{ scope: "dealer" }}>
          <Trans>My dealer's</Trans>
        </Link>
      </div>
      <UnfinishedList scope="mine" first={first} />
    </section>
  );
}
