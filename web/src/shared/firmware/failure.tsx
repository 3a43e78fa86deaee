import { Trans, useLingui } from "@lingui/react/macro";
import type { FirmwareView } from "./types";
import { DEVICE_ERRORS, REFUSALS, RUN_ERRORS } from "./words";

type FailureProps = {
  error: string;
  /** Who said it; without one in our own words, or nobody knows. */
  from: FirmwareView["error_from"];
  className?: string;
};

/** Why an update failed, in words. What the device or its network has said stands beside them for whoever helps. */
export function Failure({ error, from, className }: FailureProps) {
  const { i18n } = useLingui();
  const known = RUN_ERRORS[error] ?? REFUSALS[error] ?? DEVICE_ERRORS[error];
  const ours = error in RUN_ERRORS;
  return (
    <p className={className}>
      {known ? (
        i18n._(known)
      ) : from === "network" ? (
        <Trans>The device network refused the update.</Trans>
      ) : (
        <Trans>The update failed.</Trans>
      )}
      {ours ? null : (
        <>
          {" "}
          <small>
            <Said error={error} from={from ?? whoIsKnownToSay(error)} />
          </small>
        </>
      )}
    </p>
  );
}

function Said({ error, from }: Omit<FailureProps, "className">) {
  if (from === "device")
    return (
      <Trans>
        The device says: <q lang="en">{error}</q>
      </Trans>
    );
  if (from === "network")
    return (
      <Trans>
        The device network says: <q lang="en">{error}</q>
      </Trans>
    );
  return (
    <Trans>
      What was reported: <q lang="en">{error}</q>
    </Trans>
  );
}

/** Of runs that did not note it. */
function whoIsKnownToSay(error: string): FirmwareView["error_from"] {
  return error in DEVICE_ERRORS ? "device" : error in REFUSALS ? "network" : null;
}
