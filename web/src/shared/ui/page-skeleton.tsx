import { Trans } from "@lingui/react/macro";
import { Skeleton } from "@mantine/core";
import { Panel } from "./panel";

/** The shape of a page to come. */
export function PageSkeleton() {
  return (
    <div aria-busy="true">
      <h1 className="quiet">
        <Trans>Loading</Trans>
      </h1>
      <Skeleton height={32} width="min(320px, 70%)" mb={24} />
      <Panel>
        <Skeleton height={20} width="60%" mb={16} />
        <Skeleton height={16} mb={10} />
        <Skeleton height={16} width="85%" mb={28} />
        <Skeleton height={48} width={180} />
      </Panel>
    </div>
  );
}
