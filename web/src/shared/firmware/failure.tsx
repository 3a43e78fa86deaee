import { Trans, useLingui } from "@lingui/react/macro";
import { DEVICE_ERRORS, RUN_ERRORS } from "./words";

/** Why an update failed, in words; the device's own stand beside them, for whoever is asked for help. */
export function Failure({ error, className }: { error: string; className?: string }) {
  const { i18n } = useLingui();
  const ours = RUN_ERRORS[error];
  const known = ours ?? DEVICE_ERRORS[error];
  return (
    <p className={className}>
      {known ? i18n._(known) : <Trans>The device reported a failure.</Trans>}
      {ours ? null : (
        <>
          {" "}
          <small>
            <Trans>
              The device says: <q lang="en">{error}</q>
            </Trans>
          </small>
        </>
      )}
    </p>
  );
}
