import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Checkbox, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { renderSVG } from "uqr";
import { problemOf } from "~/shared/api/errors";
import { useSite } from "~/shared/session/site";
import { ProblemNote } from "~/shared/ui/notes/note";
import { NotFoundScreen } from "~/shared/ui/screens/not-found-screen";
import { vehicleIn } from "~/shared/vehicles/address";
import { externalWiringQuery, internalWiringQuery } from "~/shared/vehicles/queries";
import { SOURCE_NAMES, SourceNote } from "~/shared/vehicles/wiring/source-note";
import { LackingNote } from "./parts/lacking-note";
import { mirrorsWords } from "./parts/mirrors-note";
import { WireTable } from "./parts/wire-table";
import { type Group, groupsOf, reportsOf, useInternalGroups } from "./use-wires";
import classes from "./wiring.module.css";
import { useVehicleName } from "./wiring-screen";

/** The chosen parts of a vehicle's wiring on paper: black on white, with the way back to the page. */
export function PrintScreen({ vehicle }: { vehicle: string | undefined }) {
  const site = useSite();
  if (site?.features.wiring_diagrams === false) return <NotFoundScreen />;
  if (!vehicle) {
    return (
      <div className={classes.sheet}>
        <h1>
          <Trans>Wiring</Trans>
        </h1>
        <p role="alert">
          <Trans>Missing vehicle details</Trans>
        </p>
        <Link to="/wiring">
          <Trans>Another vehicle</Trans>
        </Link>
      </div>
    );
  }
  return <Sheet vehicle={vehicle} />;
}

function Sheet({ vehicle }: { vehicle: string }) {
  const { t, i18n } = useLingui();
  const key = vehicleIn(vehicle);
  const name = useVehicleName(key);
  const internal = useQuery(internalWiringQuery(key));
  const external = useQuery(externalWiringQuery(key));
  const own = useInternalGroups(internal.data);
  const groups = [
    ...own.groups,
    ...groupsOf(external.data, "adsWiring"),
    ...groupsOf(external.data, "autoMobWiring"),
  ].filter(({ wires, isLacking }) => wires.length > 0 || isLacking);
  const [left, setLeft] = useState<readonly string[]>([]);
  const chosen = groups.filter(({ id }) => !left.includes(id));
  const address = `${window.location.origin}/wiring?vehicle=${encodeURIComponent(vehicle)}&slide=vehicle`;
  // The failure above them says all there is to say.
  const nothing = internal.isError && !internal.data && !external.data;
  const waits = internal.isPending || external.isPending || own.pending;

  function toggle(id: string) {
    setLeft(left.includes(id) ? left.filter((one) => one !== id) : [...left, id]);
  }

  return (
    <div className={classes.sheet}>
      <header className={classes.sheetHead}>
        <div>
          <h1>{name || t`Wiring`}</h1>
          <p>
            <Trans>Printed {i18n.date(new Date(), { dateStyle: "medium" })}</Trans>
          </p>
          {!waits && internal.data?.mirrors_vehicle ? (
            <p>{i18n._(mirrorsWords(internal.data.mirrors_vehicle))}</p>
          ) : null}
          {!waits && internal.data?.description ? <p>{internal.data.description}</p> : null}
        </div>
        <img
          className={classes.code}
          alt={t`QR code of this vehicle's page`}
          src={`data:image/svg+xml,${encodeURIComponent(renderSVG(address))}`}
        />
      </header>
      <div className={classes.tools}>
        <Button size="md" disabled={waits || chosen.length === 0} onClick={() => window.print()}>
          <Trans>Print</Trans>
        </Button>
        <Link to="/wiring" search={{ vehicle, slide: "vehicle" }}>
          <Trans>Back</Trans>
        </Link>
      </div>
      {waits ? (
        <Skeleton height="100vh" radius="lg" aria-busy="true" />
      ) : (
        <>
          {groups.length > 0 ? (
            <fieldset className={classes.choose}>
              <legend>
                <Trans>What to print</Trans>
              </legend>
              {groups.map((group) => (
                <Checkbox
                  key={group.id}
                  label={titleOf(group)}
                  checked={!left.includes(group.id)}
                  onChange={() => toggle(group.id)}
                />
              ))}
            </fieldset>
          ) : null}
          <div className={classes.told}>
            {internal.isError && !internal.data ? (
              <ProblemNote
                problem={problemOf(internal.error)}
                onRetry={() => void Promise.all([internal.refetch(), external.refetch()])}
              />
            ) : null}
            {groups.length === 0 && internal.data === null && external.data === null ? (
              <p role="alert">
                <Trans>No data available. Please try again using a different vehicle.</Trans>
              </p>
            ) : null}
            <LackingNote lacking={own.lacking} />
            {nothing
              ? null
              : reportsOf(internal.data, external).map((report) => (
                  <SourceNote key={report.source} report={report} />
                ))}
          </div>
          {chosen.map((group) => (
            <section key={group.id} className={classes.part}>
              <h2>{titleOf(group)}</h2>
              {group.isLacking ? (
                <p>
                  <Trans>This part could not be loaded.</Trans>
                </p>
              ) : (
                <WireTable label={titleOf(group)} wires={group.wires} paper />
              )}
            </section>
          ))}
        </>
      )}
    </div>
  );
}

function titleOf({ source, title }: Group): string {
  return [SOURCE_NAMES[source], title].filter(Boolean).join(": ");
}
