import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { problemOf } from "~/shared/api/errors";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import message from "~/shared/ui/screens/message-screen.module.css";
import { PageSkeleton } from "~/shared/ui/screens/page-skeleton";
import { Panel } from "~/shared/ui/screens/panel";
import { CardForm } from "./card-form";
import classes from "./guest.module.css";
import { InvoiceFigures } from "./invoice-figures";
import { LinkStatus } from "./link-status";
import { type InvoiceSeen, seenQuery } from "./queries";

/** One invoice for whoever has its link: what it is for, what settles it, and a card form. */
export function GuestScreen({ token }: { token: string | undefined }) {
  const found = useQuery({ ...seenQuery(token ?? ""), enabled: token !== undefined });
  if (token === undefined) return <Ended />;
  if (found.data) return <Seen seen={found.data} token={token} />;
  if (found.isPending) return <PageSkeleton />;
  const problem = problemOf(found.error);
  if (problem.status === 410 || problem.status === 422) return <Ended />;
  return (
    <div className={classes.page}>
      <Heading>
        <Trans>Pay an Invoice</Trans>
      </Heading>
      <ProblemNote problem={problem} onRetry={() => void found.refetch()} />
    </div>
  );
}

function Seen({ seen, token }: { seen: InvoiceSeen; token: string }) {
  const { number, business } = seen;
  const canPay = ["open", "declined", "refused"].includes(seen.state);
  return (
    <div className={classes.page}>
      <Heading>
        <Trans>Invoice {number}</Trans>
      </Heading>
      <p className={classes.lead}>
        <Trans>Of {business}. Nothing else of this account is shown here.</Trans>
      </p>
      <LinkStatus seen={seen} />
      <Panel>
        <InvoiceFigures seen={seen} />
      </Panel>
      {canPay ? <CardForm seen={seen} token={token} /> : null}
    </div>
  );
}

function Ended() {
  return (
    <div className={message.screen}>
      <Heading>
        <Trans>This link is no longer valid</Trans>
      </Heading>
      <p>
        <Trans>
          If you have paid with it already, your payment goes on. Otherwise please ask whoever sent
          it to you for a new one.
        </Trans>
      </p>
    </div>
  );
}
