import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { answered, client } from "~/shared/api/client";
import { problemOf } from "~/shared/api/errors";
import { useSend } from "~/shared/api/send";
import { handOn } from "~/shared/ui/hand-on";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "./profile.module.css";
import { trustedDevicesQuery } from "./queries";

/** The browsers that leave out the second factor; each can be forgotten. */
export function TrustedDevices({ locked }: { locked: boolean }) {
  const { t, i18n } = useLingui();
  const devices = useQuery(trustedDevicesQuery);
  const cache = useQueryClient();
  const sending = useSend();

  async function forget(id: string) {
    await sending.send(() =>
      answered(
        client.DELETE("/v1/auth/devices/{device_id}", { params: { path: { device_id: id } } }),
      ),
    );
    await cache.invalidateQueries({ queryKey: trustedDevicesQuery.queryKey });
  }

  return (
    <Panel aria-labelledby="devices">
      <h2 id="devices">
        <Trans>Trusted devices</Trans>
      </h2>
      {devices.isError ? (
        <ProblemNote problem={problemOf(devices.error)} onRetry={() => void devices.refetch()} />
      ) : null}
      <ProblemNote problem={sending.problem} />
      {devices.data?.results.length === 0 ? (
        <p>
          <Trans>None. You can trust a device when it asks for a code.</Trans>
        </p>
      ) : null}
      <ul className={classes.devices}>
        {devices.data?.results.map(({ id, name, last_used_at }) => (
          <li key={id}>
            <span>
              {name}
              <small>
                <Trans>Last used {i18n.date(last_used_at, { dateStyle: "medium" })}</Trans>
              </small>
            </span>
            <Button
              ref={handOn}
              variant="default"
              size="md"
              disabled={locked || sending.busy}
              aria-label={t`Forget ${name}`}
              onClick={() => void forget(id)}
            >
              <Trans>Forget</Trans>
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
