import { useQuery } from "@tanstack/react-query";
import { Navigate, useLocation } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { type Problem, problemOf } from "~/shared/api/errors";
import { carried, carry } from "~/shared/session/session";
import { ProblemNote } from "~/shared/ui/note";
import { PageSkeleton } from "~/shared/ui/page-skeleton";
import { GuestDoor } from "./parts/guest-door";
import { NotYours } from "./parts/not-yours";
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
  if (query.data) return <RunScreen answer={query.data} step={step} />;
  if (query.error)
    return <Failed problem={problemOf(query.error)} retry={() => void query.refetch()} />;
  return <PageSkeleton />;
}

function Failed({ problem, retry }: { problem: Problem; retry: () => void }) {
  if (problem.status === 401) return <GuestDoor />;
  if (problem.status === 404 || problem.status === 403 || problem.status === 422)
    return <NotYours />;
  return <ProblemNote problem={problem} onRetry={retry} />;
}

/** The secret of a guest's link stays in the address and in memory; leaving the page drops it. */
function useCapability(): string | undefined {
  const hash = useLocation({ select: (location) => location.hash });
  const secret = new URLSearchParams(hash).get("resume") ?? undefined;
  const [known, setKnown] = useState(() => {
    if (secret) carry(secret);
    return carried();
  });
  useEffect(() => {
    if (secret) carry(secret);
    setKnown(carried());
  }, [secret]);
  useEffect(() => () => carry(undefined), []);
  return known;
}
