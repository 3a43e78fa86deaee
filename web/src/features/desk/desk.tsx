import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { problemOf } from "~/shared/api/errors";
import { isLost, ProblemNote } from "~/shared/ui/notes/note";
import classes from "./desk.module.css";
import { Cases, Credit, OpenPages, Operations, Orders, Plans } from "./parts";
import { type Scope, type StartPage, startPageQuery } from "./queries";

type DeskProps = {
  scope: Scope;
  /** What other areas show of it. */
  activations: (first: NonNullable<StartPage["activations"]>) => ReactNode;
  approvals: (waiting: NonNullable<StartPage["approvals"]>) => ReactNode;
  businesses: (recent: NonNullable<StartPage["recent_businesses"]>) => ReactNode;
};

/** The start page of whoever is known: what to carry on with at the left (for whoever activates nothing, their businesses or
 * the operators' figures), the rest by role at the right. Whoever has nothing of it finds the pages that are open to them. */
export function Desk({ scope, activations, approvals, businesses }: DeskProps) {
  const found = useQuery(startPageQuery(scope));
  const failure = found.isError ? (
    <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
  ) : null;
  if (isLost(found)) return failure;
  if (!found.data) return <DeskToCome />;
  const page = found.data;
  const recent = page.recent_businesses ? businesses(page.recent_businesses) : null;
  const operations = page.operations ? <Operations figures={page.operations} /> : null;
  const first = page.activations ? activations(page.activations) : (recent ?? operations);
  const lists = [page.approvals, page.plans?.results, page.cases];
  if (!first && !page.orders && !lists.some((list) => list?.length))
    return (
      <>
        {failure}
        <OpenPages />
      </>
    );
  return (
    <>
      {failure}
      <div className={classes.columns}>
        <div className={classes.main}>
          {page.approvals ? approvals(page.approvals) : null}
          {first}
        </div>
        <div className={classes.side}>
          {first === operations ? null : operations}
          {first === recent ? null : recent}
          {page.orders ? <Orders orders={page.orders} /> : null}
          {page.orders ? <Credit credit={page.credit} /> : null}
          {page.plans ? <Plans plans={page.plans} /> : null}
          {page.cases ? <Cases cases={page.cases} /> : null}
        </div>
      </div>
    </>
  );
}

/** The shape of what is to come. */
function DeskToCome() {
  return (
    <div className={classes.columns} aria-busy="true">
      <div className={classes.main}>
        <Skeleton height={420} radius="lg" />
      </div>
      <div className={classes.side}>
        <Skeleton height={260} radius="lg" />
        <Skeleton height={140} radius="lg" />
      </div>
    </div>
  );
}
