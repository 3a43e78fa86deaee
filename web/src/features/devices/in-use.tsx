import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { answered, client } from "~/shared/api/client";
import { keyOf } from "~/shared/api/operation";
import { useSend } from "~/shared/api/send";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "./devices.module.css";

/** Somebody else activates a device of one's own: its owner ends that. */
export function InUse({ deviceKey }: { deviceKey: string }) {
  const sending = useSend();
  const queries = useQueryClient();

  async function free() {
    await sending.send(
      (key) =>
        answered(
          client.POST("/v1/devices/{device_key}/free", {
            params: { path: { device_key: deviceKey }, header: { "Idempotency-Key": key } },
          }),
        ),
      deviceKey,
    );
    const ofDevice = { params: { path: { device_key: deviceKey } } };
    await queries.invalidateQueries({
      queryKey: keyOf("get", "/v1/devices/{device_key}", ofDevice),
    });
  }

  return (
    <Panel className={classes.section}>
      <Note tone="wait">
        <Trans>
          Somebody else is activating this device of yours. You can end their activation; what it is
          doing to the device is finished first.
        </Trans>
      </Note>
      <ProblemNote problem={sending.problem} onRetry={() => void free()} />
      <div>
        <Button size="md" variant="default" loading={sending.busy} onClick={() => void free()}>
          <Trans>End their activation</Trans>
        </Button>
      </div>
    </Panel>
  );
}
