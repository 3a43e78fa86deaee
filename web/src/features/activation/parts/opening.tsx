import { Trans } from "@lingui/react/macro";
import { Heading } from "~/shared/ui/heading";
import { PageSkeleton } from "~/shared/ui/page-skeleton";

/** The device is being asked what it is; the steps follow from its answer. */
export function Opening() {
  return (
    <>
      <Heading>
        <Trans>Checking the device…</Trans>
      </Heading>
      <PageSkeleton />
    </>
  );
}
