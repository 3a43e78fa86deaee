import { useQuery } from "@tanstack/react-query";
import { Navigate } from "@tanstack/react-router";
import { type Problem, problemOf } from "~/shared/api/errors";
import { AsOf, NotKept } from "~/shared/ui/notes/as-of";
import { ProblemNote } from "~/shared/ui/notes/note";
import { PageSkeleton } from "~/shared/ui/screens/page-skeleton";
import { Leave } from "./bar/leave";
import { useCapability } from "./guests/capability";
import { GuestDoor } from "./guests/guest-door";
import { NotYours } from "./guests/not-yours";
import { activationQuery } from "./queries";
import { RunScreen } from "./run-screen";

type DeviceScreenProps = { id: string | undefined; step: string | undefined };

/** Activate Device: one run, found by its id; a guest's link adds the capability. */
export function DeviceScreen({ id, step }: DeviceScreenProps) {
  const secret = useCapability();
  if (id) return <ById key={`${id} ${secret}`} id={id} step={step} />;
  return <Navigate to="/activation" replace />;
}

function ById({ id, step }: { id: string; step: string | undefined }) {
  const query = useQuery(activationQuery(id));
  if (query.data)
    return (
      <>
        <AsOf at={query.dataUpdatedAt} />
        <RunScreen answer={query.data} step={step} />
      </>
    );
  return (
    <>
      <Leave />
      {query.error ? (
        <Failed problem={problemOf(query.error)} retry={() => void query.refetch()} />
      ) : query.isPaused ? (
        <NotKept />
      ) : (
        <PageSkeleton />
      )}
    </>
  );
}

function Failed({ problem, retry }: { problem: Problem; retry: () => void }) {
  if (problem.status === 401) return <GuestDoor />;
  if (problem.status === 404 || problem.status === 403 || problem.status === 422)
    return <NotYours />;
  return <ProblemNote problem={problem} onRetry={retry} />;
}
