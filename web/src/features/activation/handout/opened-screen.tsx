import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { problemOf } from "~/shared/api/errors";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import message from "~/shared/ui/screens/message-screen.module.css";
import { PageSkeleton } from "~/shared/ui/screens/page-skeleton";
import { HandoutCard } from "./card";
import classes from "./handout.module.css";
import { openedQuery } from "./queries";

/** What the car's owner reads at home, by the link alone. */
export function OpenedHandout({ token }: { token: string }) {
  const found = useQuery({ ...openedQuery(token), enabled: token !== "" });
  if (found.data)
    return (
      <>
        <HandoutCard handout={found.data} />
        <div className={classes.actions}>
          <Button size="lg" variant="default" onClick={() => window.print()}>
            <Trans>Print</Trans>
          </Button>
        </div>
      </>
    );
  if (token === "") return <Void />;
  if (found.isPending) return <PageSkeleton />;
  const problem = problemOf(found.error);
  if (problem.status === 410 || problem.status === 422) return <Void />;
  return (
    <>
      <Heading>
        <Trans>Your vehicle</Trans>
      </Heading>
      <ProblemNote problem={problem} onRetry={() => void found.refetch()} />
    </>
  );
}

function Void() {
  return (
    <div className={message.screen}>
      <Heading>
        <Trans>This link is no longer valid</Trans>
      </Heading>
      <p>
        <Trans>Please ask whoever installed your device for a new one.</Trans>
      </p>
    </div>
  );
}
