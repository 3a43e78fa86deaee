import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { answered, client } from "~/shared/api/client";
import { useSend } from "~/shared/api/send";
import { ProblemNote } from "~/shared/ui/notes/note";

/** Goes on to Temporal's page, which then shows this administrator what it keeps sealed. */
export function OpenPayloads() {
  const { busy, problem, send } = useSend();

  async function open() {
    await send(async () => {
      const { url } = await answered(client.POST("/v1/operations/codec/open"));
      window.location.assign(url);
    });
  }

  return (
    <>
      <Button size="sm" variant="default" loading={busy} onClick={() => void open()}>
        <Trans>Read payloads in Temporal</Trans>
      </Button>
      <ProblemNote problem={problem} />
    </>
  );
}
