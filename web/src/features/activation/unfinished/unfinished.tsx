import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { useSend } from "~/shared/api/send";
import { useSession } from "~/shared/session/session";
import { Age } from "~/shared/time/age";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import type { Entered } from "../start/entered";

/** This device is half-way already: go on, wherever it was left. */
export function Unfinished({ entered }: { entered: Entered }) {
  const running = entered.found.activation;
  const guest = useSession().state === "anonymous";
  if (!running) return null;
  return (
    <Note tone="wait" action={guest ? <GoOnAsGuest entered={entered} /> : <GoOn at={running} />}>
      <Trans>
        This device has an unfinished activation: step {running.position} of {running.total}, saved{" "}
        <Age since={running.saved_at} /> by {running.saved_by}.
      </Trans>
    </Note>
  );
}

type Running = NonNullable<Entered["found"]["activation"]>;

function GoOn({ at: { id, step } }: { at: Running }) {
  return (
    <Button
      size="md"
      renderRoot={(props) => <Link to="/activation/device" search={{ id, step }} {...props} />}
    >
      <Trans>Continue this activation</Trans>
    </Button>
  );
}

/** Whoever proves possession gets another link to the run, as phones lose them (decision 8). */
function GoOnAsGuest({ entered: { device_key, iccid_last_digits, found } }: { entered: Entered }) {
  const navigate = useNavigate();
  const { busy, problem, send } = useSend();
  const type = found.activation?.type;
  if (!type) return null;

  async function goOn(kind: Running["type"]) {
    const body = { device_key, iccid_last_digits, type: kind, advanced: false };
    await send(async (key) => {
      const { startActivation } = await import("../start/start");
      const { id, step, hash } = await startActivation(body, key);
      await navigate({ to: "/activation/device", search: { id, step }, hash });
    }, body);
  }

  return (
    <>
      <ProblemNote problem={problem} />
      <Button size="md" loading={busy} onClick={() => void goOn(type)}>
        <Trans>Continue this activation</Trans>
      </Button>
    </>
  );
}
