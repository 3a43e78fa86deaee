import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Skeleton } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import type { Schemas } from "~/shared/api/client";
import { problemOf } from "~/shared/api/errors";
import { asking } from "~/shared/api/operation";
import { useSession } from "~/shared/session/session";
import { useSite } from "~/shared/session/site";
import { useOpener } from "~/shared/ui/dialogs/opener";
import { ProblemNote } from "~/shared/ui/notes/note";
import type { VehicleKey } from "~/shared/vehicles/address";
import { nameOf } from "~/shared/vehicles/name";
import { useWiringBeside } from "~/shared/vehicles/wiring/beside";
import { SOURCE_NAMES, SourceNote } from "~/shared/vehicles/wiring/source-note";
import { Stroke } from "~/shared/vehicles/wiring/stroke";
import type { CommandRow } from "../types";
import { COMMAND_WORDS } from "../words";
import { failedTest } from "./failed";
import classes from "./failed-test.module.css";

type Served = Schemas["ServedWires"];
type Wire = Served["functions"][number]["wires"][number];

const CHECKS: Record<Served["checks"][number], MessageDescriptor> = {
  power: msg`The device has power and ground, and its fuses are whole.`,
  hood_closed: msg`The hood is closed, and the hood pin says so.`,
  brake_released: msg`The brake pedal is released, and its wire shows no voltage.`,
  in_park: msg`The gear is in park, the key is out and the doors are closed.`,
  tachometer_learned: msg`The engine signal is learned.`,
  bypass_programmed: msg`The bypass module is programmed: its light is solid with ignition on.`,
  doors_closed: msg`Doors, hood and trunk are closed.`,
  polarity: msg`The polarity of the output is that of the wire.`,
  data_wire: msg`The data wires are the right way round and twisted.`,
};

const servedWiresQuery = ({ year, makeId, modelId }: VehicleKey, command: string) =>
  queryOptions({
    ...asking("post", "/v1/served-wires", { body: { year, makeId, modelId, command } }),
  });

type FailedTestProps = {
  rows: readonly CommandRow[];
  vehicle: Schemas["VehicleDetails"] | null | undefined;
};

/** After a test that failed: what to check, and the wires of this vehicle that serve it. */
export function FailedTest({ rows, vehicle }: FailedTestProps) {
  const signedIn = useSession().state === "signed-in";
  const site = useSite();
  const failed = failedTest(rows);
  if (!failed || !vehicle || !signedIn || site?.features.wiring_diagrams === false) return null;
  return <WiresOf key={failed.command} command={failed.command} vehicle={vehicle} />;
}

function WiresOf({
  command,
  vehicle,
}: {
  command: string;
  vehicle: NonNullable<FailedTestProps["vehicle"]>;
}) {
  const { t, i18n } = useLingui();
  const key = { year: vehicle.year, makeId: vehicle.make_id, modelId: vehicle.model_id };
  const found = useQuery(servedWiresQuery(key, command));
  const Beside = useWiringBeside();
  const { below, button } = useOpener("dialog", true);
  const words = COMMAND_WORDS[command];
  const test = words ? i18n._(words) : command;
  const name = nameOf(vehicle);
  if (found.data?.functions.length === 0 && found.data.checks.length === 0) return null;
  return (
    <section className={classes.failed} aria-label={t`After the failed test: ${test}`}>
      <h2>
        <Trans>
          {test} failed: what serves it in the {name}
        </Trans>
      </h2>
      {found.isPending ? <Skeleton height={160} radius="lg" /> : null}
      {found.isError ? (
        <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
      ) : null}
      {found.data ? <Told served={found.data} /> : null}
      {Beside ? (
        <Button variant="default" size="md" {...button}>
          <Trans>All wiring of this vehicle</Trans>
        </Button>
      ) : null}
      {Beside && below.open ? (
        <Suspense>
          <Beside vehicle={key} name={name} button={below.button} onClose={below.onClose} />
        </Suspense>
      ) : null}
    </section>
  );
}

function Told({ served }: { served: Served }) {
  const { i18n } = useLingui();
  return (
    <>
      {served.mirrors_vehicle ? (
        <p>
          <Trans>Wired like the {served.mirrors_vehicle.name}.</Trans>
        </p>
      ) : null}
      <h3>
        <Trans>Check first</Trans>
      </h3>
      <ol>
        {served.checks.map((check) => (
          <li key={check}>{i18n._(CHECKS[check])}</li>
        ))}
      </ol>
      {served.sources
        .filter(({ state }) => state !== "fresh")
        .map((report) => (
          <SourceNote key={report.source} report={report} />
        ))}
      {served.functions.map(({ function: name, wires }) => (
        <section key={name}>
          <h3>{name}</h3>
          <ul className={classes.wires}>
            {wires.map((wire, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a source have no ids and are never reordered
              <li key={place}>
                <Stroke color={wire.color} />
                <strong>{wire.color}</strong> {placeOf(wire)}{" "}
                <small>
                  {[SOURCE_NAMES[wire.source], wire.category, wire.trim]
                    .filter(Boolean)
                    .join(" · ")}
                </small>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {served.t_harnesses.length > 0 ? (
        <p>
          <Trans>
            T-harnesses for this vehicle: {served.t_harnesses.map(({ sku }) => sku).join(", ")}
          </Trans>
        </p>
      ) : null}
    </>
  );
}

/** Where the wire is, and on which pin, as far as its source tells. */
function placeOf(wire: Wire): string {
  return [
    wire.location,
    wire.component_location,
    wire.component,
    wire.connector && `${wire.connector} ${wire.connector_color}`.trim(),
    wire.pin_out || (wire.pin && `Pin ${wire.pin}`),
    wire.polarity,
    wire.note || wire.notes,
  ]
    .filter(Boolean)
    .join(", ");
}
