import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { problemOf } from "~/shared/api/errors";
import { askForBusiness } from "~/shared/session/ask-business";
import { ProblemNote } from "../notes/note";
import { EmptyState } from "./empty-state";

type ListRefusalProps = {
  error: unknown;
  onRetry: () => void;
  /** Why a business has to be chosen first. */
  children: ReactNode;
};

/** Why what belongs to a business is not shown, with another try. A rep without a business is asked to choose one. */
export function ListRefusal({ error, onRetry, children }: ListRefusalProps) {
  const problem = problemOf(error);
  if (problem.code !== "business_needed") {
    const isFinal = problem.status === 403 || problem.status === 404;
    return <ProblemNote problem={problem} onRetry={isFinal ? undefined : onRetry} />;
  }
  return (
    <EmptyState
      action={
        <Button size="md" onClick={({ currentTarget }) => askForBusiness(currentTarget)}>
          <Trans>Select Business</Trans>
        </Button>
      }
    >
      {children}
    </EmptyState>
  );
}
