import { Trans } from "@lingui/react/macro";
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Navigate } from "@tanstack/react-router";
import { problemOf } from "~/shared/api/errors";
import { partnerQuery } from "~/shared/partners/queries";
import { runsBusiness } from "~/shared/session/rights";
import { useSession } from "~/shared/session/session";
import { isLost, ProblemNote } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import settings from "~/shared/ui/screens/settings.module.css";
import { BusinessFacts } from "./business-facts";
import classes from "./dealers.module.css";
import { NeedsBusiness } from "./needs-business";
import { PayoutAccount, type Return } from "./payout-account";
import { PublicProfile } from "./public-profile";
import { businessQuery, dealerQuery } from "./queries";
import { Invitations } from "./team/invitations";
import { Team } from "./team/team";

/** The business for those who run it: owners, and reps who have chosen one. Everybody else is sent home. */
export function BusinessScreen({ from }: { from: Return | undefined }) {
  const now = useSession();
  const dealer = useQuery(dealerQuery(now));
  if (now.state === "anonymous") return null;
  if (!runsBusiness(now)) return <Navigate to="/" />;
  return (
    <div className={`${classes.page} ${settings.page}`}>
      <Heading>
        <Trans>My Business</Trans>
      </Heading>
      {dealer.error ? (
        <ProblemNote problem={problemOf(dealer.error)} onRetry={() => void dealer.refetch()} />
      ) : null}
      {dealer.data === null ? <NeedsBusiness rep={now.user.is_sales_rep} /> : null}
      {dealer.data ? (
        <Business dealerId={dealer.data} isOwner={now.user.is_owner} from={from} />
      ) : null}
    </div>
  );
}

type BusinessProps = { dealerId: string; isOwner: boolean; from: Return | undefined };

function Business({ dealerId, isOwner, from }: BusinessProps) {
  const found = useQuery(businessQuery(dealerId));
  const code = found.data?.partner_code ?? "";
  const facts = useQuery({ ...partnerQuery(code), enabled: code !== "" });
  const failure = found.error && (
    <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
  );
  if (isLost(found)) return failure;
  // Once it was asked, whatever came of it, another try leaves what is typed below where it is.
  const awaitsFacts = facts.isLoading && !facts.isFetched;
  if (!found.data || awaitsFacts) return <Skeleton height={420} radius="lg" />;
  return (
    <>
      {failure}
      {code ? <BusinessFacts code={code} /> : null}
      <Team dealerId={dealerId} isOwner={isOwner} />
      <Invitations dealerId={dealerId} />
      <PayoutAccount dealerId={dealerId} isOwner={isOwner} from={from} />
      <PublicProfile dealer={found.data} />
    </>
  );
}
