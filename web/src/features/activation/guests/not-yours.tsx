import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Heading } from "~/shared/ui/screens/heading";
import { Panel } from "~/shared/ui/screens/panel";

/** Absent and somebody else's look alike. */
export function NotYours() {
  return (
    <Panel>
      <Heading>
        <Trans>We could not find this activation</Trans>
      </Heading>
      <p>
        <Trans>
          It may have ended, or it belongs to another dealer. Enter the serial number to see where
          the device stands.
        </Trans>
      </p>
      <Button size="lg" renderRoot={(props) => <Link to="/activation" {...props} />}>
        <Trans>Set Serial Number</Trans>
      </Button>
    </Panel>
  );
}
