import { Trans } from "@lingui/react/macro";
import classes from "./page-skeleton.module.css";
import { Panel } from "./panel";

type PageSkeletonProps = {
  /** Its heading stands above already. */
  titled?: boolean;
};

/** The shape of a page to come. */
export function PageSkeleton({ titled = false }: PageSkeletonProps) {
  return (
    <div aria-busy="true" className={classes.page}>
      {titled ? null : (
        <>
          <h1 className="quiet">
            <Trans>Loading</Trans>
          </h1>
          <div className={classes.title} />
        </>
      )}
      <Panel>
        <div className={classes.lead} />
        <div className={classes.bone} />
        <div className={classes.line} />
        <div className={classes.press} />
      </Panel>
    </div>
  );
}
