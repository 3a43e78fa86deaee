import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { EmptyState } from "~/shared/ui/lists/empty-state";

/** The spec's words for an empty product or product list, and what to do next. */
export function NothingFound() {
  return (
    <EmptyState
      title={<Trans>Not Found</Trans>}
      action={
        <Button variant="default" renderRoot={(props) => <Link to="/search" {...props} />}>
          <Trans>Show all products</Trans>
        </Button>
      }
    >
      <Trans>No product fits. Try fewer words, or fewer filters.</Trans>
    </EmptyState>
  );
}
