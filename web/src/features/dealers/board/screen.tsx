import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Navigate, useNavigate } from "@tanstack/react-router";
import { problemOf } from "~/shared/api/errors";
import { runsBusiness } from "~/shared/session/rights";
import { useSession } from "~/shared/session/session";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import classes from "../dealers.module.css";
import { NeedsBusiness } from "../needs-business";
import { dealerQuery } from "../queries";
import { Board } from "./board";
import type { BoardFilters } from "./queries";
import { useTeamNews } from "./use-team-news";

/** Where everybody of the business is stuck, for those who run it. Everybody else is sent home. */
export function TeamScreen({ filters }: { filters: BoardFilters }) {
  const now = useSession();
  const dealer = useQuery(dealerQuery(now));
  if (now.state === "anonymous") return null;
  if (!runsBusiness(now)) return <Navigate to="/" />;
  return (
    <div className={classes.page}>
      <Heading>
        <Trans>Team at work</Trans>
      </Heading>
      <p className={classes.soft}>
        <Trans>Activations under way, the longest idle first. The list follows the work.</Trans>
      </p>
      {dealer.error ? (
        <ProblemNote problem={problemOf(dealer.error)} onRetry={() => void dealer.refetch()} />
      ) : null}
      {dealer.data === null ? <NeedsBusiness rep={now.user.is_sales_rep} /> : null}
      {dealer.data ? <Followed dealerId={dealer.data} filters={filters} /> : null}
    </div>
  );
}

function Followed({ dealerId, filters }: { dealerId: string; filters: BoardFilters }) {
  const navigate = useNavigate();
  useTeamNews(dealerId);
  return (
    <Board
      whose={dealerId}
      filters={filters}
      onChange={(next) => void navigate({ to: "/team", search: next, replace: true })}
    />
  );
}
