import { Trans, useLingui } from "@lingui/react/macro";
import { DEVICE_ERRORS, REFUSALS, RUN_ERRORS } from "./words";

/** Why an update failed, in words. What a device has said, or nobody knows who, stands beside them for whoever helps. */
export function Failure({ error, className }: { error: string; className?: string }) {
  const { i18n } = useLingui();
  const ours = RUN_ERRORS[error] ?? REFUSALS[error];
  const devices = DEVICE_ERRORS[error];
  if (ours) return <p className={className}>{i18n._(ours)}</p>;
  return (
    <p className={className}>
      {devices ? i18n._(devices) : <Trans>The update failed.</Trans>}{" "}
      <small>
        {devices ? (
          <Trans>
            The device says: <q lang="en">{error}</q>
          </Trans>
        ) : (
          <Trans>
            What was reported: <q lang="en">{error}</q>
          </Trans>
        )}
      </small>
    </p>
  );
}
