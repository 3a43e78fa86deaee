import { Trans } from "@lingui/react/macro";
import { Link, useRouter } from "@tanstack/react-router";
import { Problem } from "~/shared/api/errors";
import { Heading } from "./heading";
import classes from "./message-screen.module.css";
import { NotFoundScreen } from "./not-found-screen";
import { isMissingScript, NotLoadedScreen } from "./not-loaded-screen";

type ErrorScreenProps = { error: unknown; reload?: () => void };

/**
 * Whatever a page could not answer itself. What is absent, or somebody else's, looks like a page that is absent. A
 * script that did not come is asked for again with the whole page: `lazy` keeps its failure.
 */
export function ErrorScreen({ error, reload = () => window.location.reload() }: ErrorScreenProps) {
  const router = useRouter();
  const isMissing = isMissingScript(error);
  if (error instanceof Problem && error.status === 404) return <NotFoundScreen />;
  if (isMissing && !navigator.onLine) return <NotLoadedScreen />;
  const reference = error instanceof Problem ? error.reference : undefined;
  return (
    <div className={classes.screen} role="alert">
      <Heading>
        <Trans>Application Error</Trans>
      </Heading>
      <p>
        <Trans>
          The site has run into an error and cannot display this page at this time. Please check
          back soon or contact support for more help
        </Trans>
      </p>
      {reference ? (
        <p>
          <Trans>Reference {reference}</Trans>
        </p>
      ) : null}
      <div className={classes.ways}>
        <button
          type="button"
          className={classes.next}
          onClick={isMissing ? reload : () => router.invalidate()}
        >
          <Trans>Try again</Trans>
        </button>
        <Link to="/" className={classes.other}>
          <Trans>Back to Home</Trans>
        </Link>
      </div>
    </div>
  );
}
