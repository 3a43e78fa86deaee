import { Trans } from "@lingui/react/macro";
import { Button, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { type Problem, problemOf } from "~/shared/api/errors";
import { AsOf, NotKept } from "~/shared/ui/notes/as-of";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import { Panel } from "~/shared/ui/screens/panel";
import { Activations } from "./activations";
import classes from "./devices.module.css";
import { Facts } from "./facts";
import { GiveUp } from "./give-up";
import { InUse } from "./in-use";
import { ProofForm } from "./proof-form";
import { keepProof, proofOf } from "./proofs";
import { type DeviceRecord, deviceQuery } from "./queries";
import { Timeline } from "./timeline";
import type { ActivationWords } from "./words";

type OpenDeviceProps = {
  deviceKey: string;
  children: (found: DeviceRecord, digits: string | undefined) => ReactNode;
};

/** A device for whoever may look at it; else how to prove possession, or why it is not shown. */
export function OpenDevice({ deviceKey, children }: OpenDeviceProps) {
  const [digits, setDigits] = useState(() => proofOf(deviceKey));
  const found = useQuery(deviceQuery(deviceKey, digits));
  const problem = found.error ? problemOf(found.error) : undefined;

  function prove(given: string) {
    keepProof(deviceKey, given);
    setDigits(given);
  }

  return (
    <>
      {found.data ? (
        <AsOf at={found.dataUpdatedAt} />
      ) : found.isPaused ? (
        <NotKept />
      ) : found.isPending ? (
        <Skeleton height={220} radius="lg" />
      ) : null}
      {problem && needsProof(problem) ? (
        <ProofForm key={digits} given={digits} onProof={prove} />
      ) : problem?.status === 404 || problem?.status === 422 ? (
        <Absent problem={problem} digits={digits} onProof={prove} />
      ) : problem ? (
        <ProblemNote problem={problem} onRetry={() => void found.refetch()} />
      ) : null}
      {found.data ? children(found.data, digits) : null}
    </>
  );
}

type DeviceScreenProps = {
  deviceKey: string;
  words: ActivationWords;
  /** The part on firmware, for a device that may be looked at. */
  firmware: (digits: string | undefined) => ReactNode;
  /** What waits on this phone for one of its activations. */
  waits: (id: string) => ReactNode;
};

/** One device: what it is, its firmware, what was done with it, and what it told. */
export function DeviceScreen({ deviceKey, words, firmware, waits }: DeviceScreenProps) {
  return (
    <div className={classes.page}>
      <Heading focusKey={deviceKey}>{deviceKey}</Heading>
      <OpenDevice deviceKey={deviceKey}>
        {({ device, in_use, may_release, is_plan_suspended, activations }, digits) => (
          <>
            {in_use ? <InUse deviceKey={deviceKey} /> : null}
            {device ? (
              <Facts device={device} isPlanSuspended={is_plan_suspended} />
            ) : (
              <Note tone="wait">
                <Trans>
                  The device network does not answer. What Turnkey itself knows is shown below.
                </Trans>
              </Note>
            )}
            <section aria-labelledby="firmware" className={classes.section}>
              <h2 id="firmware">
                <Trans>Firmware</Trans>
              </h2>
              <Panel>{firmware(digits)}</Panel>
            </section>
            <Activations
              deviceKey={deviceKey}
              activations={activations}
              words={words}
              waits={waits}
            />
            <Timeline deviceKey={deviceKey} digits={digits} />
            {may_release ? <GiveUp deviceKey={deviceKey} /> : null}
          </>
        )}
      </OpenDevice>
    </div>
  );
}

function needsProof(problem: Problem): boolean {
  return problem.fields.some(({ field }) => field === "iccid_last_digits");
}

/** An unknown device, somebody else's, and wrong digits are told apart by nothing. */
function Absent({
  problem,
  digits,
  onProof,
}: {
  problem: Problem;
  digits: string | undefined;
  onProof: (digits: string) => void;
}) {
  return (
    <>
      <ProblemNote problem={problem} />
      {digits ? <ProofForm key={digits} given={digits} onProof={onProof} /> : null}
      <Button
        size="md"
        variant="default"
        className={classes.more}
        renderRoot={(props) => <Link to="/devices" {...props} />}
      >
        <Trans>Find another device</Trans>
      </Button>
    </>
  );
}
