import { Trans } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { Heading } from "./heading";
import classes from "./message-screen.module.css";

export function NotFoundScreen() {
  return (
    <div className={classes.screen}>
      <Heading>
        <Trans>Page Not Found</Trans>
      </Heading>
      <p>
        <Trans>The page you are looking for does not exist.</Trans>
      </p>
      <Link to="/" className={classes.next}>
        <Trans>Back to Home</Trans>
      </Link>
    </div>
  );
}
