import { Trans } from "@lingui/react/macro";
import { Fragment } from "react";
import { nameOf } from "~/shared/vehicles/name";
import classes from "../parts/device-facts.module.css";
import type { ActivationView } from "../types";
import { SummarySettings } from "./summary-settings";

/** What the run did, as far as it was done. */
export function Summary({ view }: { view: ActivationView }) {
  const { vehicle, firmware, commands, connection_verified, welcomed } = view.facts;
  const confirmed = commands.filter((row) => row.state.startsWith("confirmed")).length;
  return (
    <dl className={classes.facts}>
      {vehicle ? (
        <>
          <dt>
            <Trans>Vehicle</Trans>
          </dt>
          <dd>{nameOf(vehicle)}</dd>
        </>
      ) : null}
      {view.plan.includes("verify-connection") ? (
        <>
          <dt>
            <Trans>Connection</Trans>
          </dt>
          <dd>{connection_verified ? <Trans>Verified</Trans> : <Trans>Not verified</Trans>}</dd>
        </>
      ) : null}
      {firmware?.targets.map((target) => (
        <Fragment key={target.target}>
          <dt>
            <Trans>Firmware, {target.label}</Trans>
          </dt>
          <dd>{target.completed ? target.to_version : target.from_version}</dd>
        </Fragment>
      ))}
      <SummarySettings view={view} />
      {commands.length > 0 ? (
        <>
          <dt>
            <Trans>Tests confirmed</Trans>
          </dt>
          <dd>
            <Trans>
              {confirmed} of {commands.length}
            </Trans>
          </dd>
        </>
      ) : null}
      {welcomed ? (
        <>
          <dt>
            <Trans>Welcome mail</Trans>
          </dt>
          <dd>{welcomed}</dd>
        </>
      ) : null}
    </dl>
  );
}
