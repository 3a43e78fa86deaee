import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { tell } from "~/shared/alerts/alerts";
import { answered, client } from "~/shared/api/client";
import { keyOf } from "~/shared/api/operation";
import { useSend } from "~/shared/api/send";
import { dropAnswer } from "~/shared/kept/answers";
import { DangerButton } from "~/shared/ui/buttons/danger-button";
import { Dialog } from "~/shared/ui/dialogs/dialog";
import { ProblemNote } from "~/shared/ui/notes/note";
import classes from "./devices.module.css";

/** An owner says that a device is theirs no more; asked once more before, as only whoever has it then brings it back. */
export function GiveUp({ deviceKey }: { deviceKey: string }) {
  const { t } = useLingui();
  const [isAsked, setAsked] = useState(false);
  const sending = useSend();
  const queries = useQueryClient();
  const navigate = useNavigate();

  async function release() {
    const problem = await sending.send(
      (key) =>
        answered(
          client.POST("/v1/devices/{device_key}/release", {
            params: { path: { device_key: deviceKey }, header: { "Idempotency-Key": key } },
          }),
        ),
      deviceKey,
    );
    if (problem) return;
    const ofDevice = { params: { path: { device_key: deviceKey } } };
    await navigate({ to: "/devices" }); // which clears what was told before
    tell({ content: t`${deviceKey} was given up.`, type: "success" });
    await dropAnswer("device", deviceKey);
    queries.removeQueries({ queryKey: keyOf("get", "/v1/devices/{device_key}", ofDevice) });
  }

  return (
    <div>
      <Button size="md" variant="default" onClick={() => setAsked(true)}>
        <Trans>Give this device up</Trans>
      </Button>
      {isAsked ? (
        <Dialog
          title={t`Give up ${deviceKey}?`}
          busy={sending.busy}
          onClose={() => setAsked(false)}
        >
          <div className={classes.section}>
            <p>
              <Trans>
                It will belong to nobody, and whoever has it in hand can activate it. You cannot
                take that back.
              </Trans>
            </p>
            <ProblemNote problem={sending.problem} />
            <div className={classes.ends}>
              <Button
                size="md"
                variant="default"
                data-autofocus
                disabled={sending.busy}
                onClick={() => setAsked(false)}
              >
                <Trans>Cancel</Trans>
              </Button>
              <DangerButton loading={sending.busy} onClick={() => void release()}>
                <Trans>Give it up</Trans>
              </DangerButton>
            </div>
          </div>
        </Dialog>
      ) : null}
    </div>
  );
}
