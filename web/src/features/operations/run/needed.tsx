import { Trans, useLingui } from "@lingui/react/macro";
import type { Run } from "../queries";
import { adviceFor } from "../words";

/** What to do about a run that needs attention, above what says that it was done. */
export function Needed({ run }: { run: Run }) {
  const { i18n } = useLingui();
  return (
    <>
      <h2>
        <Trans>Needs attention</Trans>
      </h2>
      <p>{i18n._(adviceFor(run))}</p>
    </>
  );
}
