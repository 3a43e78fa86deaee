import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";

/** The way on after something is done. */
export function ToLogin() {
  return (
    <Button size="lg" fullWidth renderRoot={(props) => <Link to="/login" {...props} />}>
      <Trans>Log in</Trans>
    </Button>
  );
}
