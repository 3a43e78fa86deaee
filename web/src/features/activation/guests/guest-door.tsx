import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { Link, useLocation } from "@tanstack/react-router";
import { nextFor } from "~/shared/session/access";
import { Heading } from "~/shared/ui/screens/heading";
import { Panel } from "~/shared/ui/screens/panel";

/** An activation was opened by its plain address, without a sign-in. */
export function GuestDoor() {
  const href = useLocation({ select: (location) => location.href });
  return (
    <Panel>
      <Heading>
        <Trans>Log in to go on</Trans>
      </Heading>
      <p>
        <Trans>
          This activation can be continued by its installer and their colleagues. As a guest, use
          the link that you kept.
        </Trans>
      </p>
      <Button
        size="lg"
        renderRoot={(props) => <Link to="/login" search={{ next: nextFor(href) }} {...props} />}
      >
        <Trans>Log in</Trans>
      </Button>
    </Panel>
  );
}
