import { Trans } from "@lingui/react/macro";
import { Status } from "~/shared/ui/notes/status";

/** The mark of a replaced device: verified once the new one has answered. */
export function Verified({ verified }: { verified: boolean }) {
  return (
    <Status tone={verified ? "ok" : "wait"}>
      {verified ? <Trans>Verified</Trans> : <Trans>Not verified yet</Trans>}
    </Status>
  );
}
