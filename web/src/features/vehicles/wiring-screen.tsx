import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { problemOf } from "~/shared/api/errors";
import { useSite } from "~/shared/session/site";
import { Choice } from "~/shared/ui/fields/choice";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import { NotFoundScreen } from "~/shared/ui/screens/not-found-screen";
import { Panel } from "~/shared/ui/screens/panel";
import { type VehicleKey, vehicleIn } from "~/shared/vehicles/address";
import { chooseVehicle } from "~/shared/vehicles/chosen";
import { nameOf } from "~/shared/vehicles/name";
import {
  externalWiringQuery,
  internalWiringQuery,
  makesQuery,
  modelsQuery,
} from "~/shared/vehicles/queries";
import { VehicleSearch } from "~/shared/vehicles/search/vehicle-search";
import { SourceNote } from "~/shared/vehicles/wiring/source-note";
import type { Slide, WiringAddress } from "./address";
import { holds, isOfTrim } from "./columns";
import { useKeptVehicle } from "./kept/use-kept";
import { FindField } from "./parts/find-field";
import { Instructions } from "./parts/instructions";
import { LackingNote } from "./parts/lacking-note";
import { MirrorsNote } from "./parts/mirrors-note";
import { ModulesSlide } from "./parts/modules-slide";
import { Harnesses, NotFound } from "./parts/products";
import { Documents, VehicleHead } from "./parts/vehicle-head";
import { FoundRows, WiringSlide } from "./parts/wiring-slide";
import { recommendedIn } from "./recommended";
import type { Wire } from "./types";
import { groupsOf, reportsOf, useInternalGroups } from "./use-wires";
import classes from "./wiring.module.css";

/** Slides that show rows, or tell where other sources differ from ours. */
const WITH_ROWS: ReadonlySet<Slide> = new Set(["firstech", "idatawire", "third-party"]);

/** Slides that hold nothing of our own reference. */
const OUTSIDE: ReadonlySet<Slide> = new Set(["idatawire", "third-party"]);

/** Wiring of a vehicle: the search, its options, and each of them (devices spec 2). The address says what is shown. */
export function WiringScreen({ address }: { address: WiringAddress }) {
  const navigate = useNavigate();
  const site = useSite();
  if (site?.features.wiring_diagrams === false) return <NotFoundScreen />;
  if (address.vehicle) return <VehicleWiring address={address} vehicle={address.vehicle} />;
  return (
    <div className={classes.page}>
      <Heading>
        <Trans>Wiring</Trans>
      </Heading>
      <Panel>
        <VehicleSearch
          onFound={(vehicle) =>
            void navigate({ to: "/wiring", search: { vehicle, slide: "vehicle" } })
          }
        />
      </Panel>
    </div>
  );
}

function VehicleWiring({ address, vehicle }: { address: WiringAddress; vehicle: string }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const site = useSite();
  const key = vehicleIn(vehicle);
  const name = useVehicleName(key);
  const internal = useQuery(internalWiringQuery(key));
  const external = useQuery(externalWiringQuery(key));
  const known = Boolean(internal.data ?? external.data);
  useEffect(() => {
    if (name && known) chooseVehicle({ name, value: vehicle });
  }, [name, known, vehicle]);
  useKeptVehicle(vehicle, name, internal, external);
  const mirrored = internal.data?.mirrors_vehicle;
  const find = address.find ?? "";
  const slide = address.slide ?? "vehicle";
  const trim = address.trim ?? "";
  const counts = slide === "vehicle" && trim !== "";
  const needsRows = WITH_ROWS.has(slide) || find.trim() !== "" || counts;
  const own = useInternalGroups(internal.data, needsRows);
  const ads = groupsOf(external.data, "adsWiring");
  const automob = groupsOf(external.data, "autoMobWiring");
  const wires = [...own.groups, ...ads, ...automob].flatMap((group) => group.wires);
  const all = wires.filter((wire) => isOfTrim(wire, trim));
  const found = find.trim() ? all.filter((wire) => holds(wire, find)) : [];
  const products = external.data?.products ?? [];
  const told = [...(internal.data?.trims ?? []), ...[...wires, ...products].map((one) => one.trim)];
  const trims = [...new Set(told.filter(Boolean))].sort();
  const reports = reportsOf(internal.data, external);
  const report = (source: string) => reports.find((one) => one.source === source);
  const failed = internal.error ?? (internal.data ? undefined : external.error);
  const waits = internal.isPending || external.isPending;
  const empty = internal.data === null && external.data === null;
  // The failure above says all there is to say.
  const nothing = internal.isError && !known;
  const counted = (internal.data?.wiring_categories ?? []).reduce((sum, one) => sum + one.count, 0);
  const rowsOf = (source: Wire["source"]) => all.filter((wire) => wire.source === source).length;
  const areOursRead = trim === "" || !(own.pending || own.lacking);

  const isOursKnown = internal.data !== undefined;
  const isTold = (source: string) =>
    external.data !== undefined && report(source)?.state !== "away";
  const areAllTold = external.data !== undefined && !reports.some((one) => one.state === "away");

  /** `known`: whether that many are there, or it was not told. */
  type Option = { slide: Slide; label: string; count: number; known: boolean; hidden?: boolean };
  const options: Option[] = [
    {
      slide: "firstech",
      label: t`Firstech Wiring Diagrams`,
      count: trim === "" ? counted : rowsOf("internal"),
      known: isOursKnown && areOursRead,
    },
    {
      slide: "idatawire",
      label: t`iDatawire Wiring Diagrams`,
      count: rowsOf("adsWiring"),
      known: isTold("adsWiring"),
      hidden: site?.features.ads_wiring === false,
    },
    {
      slide: "third-party",
      label: t`3rd Party Wiring Diagrams`,
      count: rowsOf("autoMobWiring"),
      known: isTold("autoMobWiring"),
      hidden: site?.features.automob_wiring === false,
    },
    {
      slide: "instructions",
      label: t`Install Instructions`,
      count: internal.data?.instruction_categories.length ?? 0,
      known: isOursKnown,
    },
    {
      slide: "modules",
      label: t`Compatible Modules`,
      count: (internal.data?.modules.length ?? 0) + recommendedIn(products, trim).length,
      known: isOursKnown && areAllTold,
    },
    {
      slide: "t-harnesses",
      label: t`FTI T-harnesses`,
      count: internal.data?.t_harnesses.length ?? 0,
      known: isOursKnown,
      hidden: site?.features.t_harness === false,
    },
    {
      slide: "guides",
      label: t`Installer Guides`,
      count: internal.data?.vehicle_documents.length ?? 0,
      known: isOursKnown,
    },
  ];
  const shown = options.filter(({ hidden }) => !hidden);
  const current = shown.find((one) => one.slide === slide);

  function go(change: Partial<WiringAddress>, replace = false) {
    return navigate({ to: "/wiring", search: { ...address, ...change }, replace });
  }

  return (
    <div className={classes.page}>
      <Heading focusKey={slide}>
        {current ? t`${current.label}: ${name}` : name || <Trans>Wiring</Trans>}
      </Heading>
      <div className={classes.tools}>
        <Link to="/wiring">
          <Trans>Another vehicle</Trans>
        </Link>
        {current ? (
          <Link to="/wiring" search={{ ...address, slide: "vehicle", find: undefined }}>
            <Trans>All options</Trans>
          </Link>
        ) : null}
        <Link to="/wiring/print" search={{ vehicle }}>
          <Trans>Print</Trans>
        </Link>
      </div>
      {failed ? (
        <ProblemNote
          problem={problemOf(failed)}
          onRetry={() => void Promise.all([internal.refetch(), external.refetch()])}
        />
      ) : null}
      <LackingNote lacking={own.lacking} />
      {empty ? (
        <p role="alert">
          <Trans>No data available. Please try again using a different vehicle.</Trans>
        </p>
      ) : null}
      <div className={classes.tools}>
        <FindField
          key={vehicle}
          find={find}
          onFind={(typed) => go({ find: typed || undefined }, true)}
        />
        {trims.length > 0 || trim || waits ? (
          <Choice
            label={t`Trim`}
            placeholder={t`All trims`}
            disabled={trims.length === 0 && !trim}
            value={trim}
            options={(trims.includes(trim) || !trim ? trims : [trim, ...trims]).map((one) => ({
              value: one,
              label: one,
            }))}
            onChange={(value) => void go({ trim: value || undefined }, true)}
          />
        ) : null}
      </div>
      {find.trim() ? (
        found.length === 0 && (waits || own.pending) ? (
          <Skeleton height={420} radius="lg" aria-busy="true" />
        ) : nothing ? null : (
          <FoundRows wires={found} all={all} mirrored={mirrored} find={find} reports={reports} />
        )
      ) : internal.isPending ? (
        <Skeleton height={420} radius="lg" aria-busy="true" />
      ) : (
        <>
          {OUTSIDE.has(slide) ? null : <MirrorsNote mirrored={mirrored} />}
          {slide === "vehicle" && internal.data ? <VehicleHead internal={internal.data} /> : null}
          {slide === "vehicle" && !nothing
            ? reports
                .filter(({ state }) => state === "away")
                .map((one) => <SourceNote key={one.source} report={one} />)
            : null}
          {current ? null : (
            <ul className={classes.options} aria-label={t`Options`}>
              {shown.map((one) => (
                <li key={one.slide}>
                  <Button
                    variant="default"
                    size="lg"
                    fullWidth
                    justify="space-between"
                    rightSection={<span>{one.known ? one.count : "–"}</span>}
                    onClick={() => void go({ slide: one.slide })}
                  >
                    {one.label}
                  </Button>
                </li>
              ))}
            </ul>
          )}
          {slide === "firstech" ? (
            <WiringSlide
              groups={own.groups}
              all={all}
              mirrored={mirrored}
              trim={trim}
              pending={own.pending}
              report={report("internal")}
            />
          ) : null}
          {current && slide === "idatawire" ? (
            <WiringSlide
              groups={ads}
              all={all}
              mirrored={mirrored}
              trim={trim}
              pending={external.isPending}
              report={report("adsWiring")}
            />
          ) : null}
          {current && slide === "third-party" ? (
            <WiringSlide
              groups={automob}
              all={all}
              mirrored={mirrored}
              trim={trim}
              pending={external.isPending}
              report={report("autoMobWiring")}
            />
          ) : null}
          {internal.data && slide === "instructions" ? (
            <Instructions
              vehicleId={internal.data.id}
              categories={internal.data.instruction_categories}
            />
          ) : null}
          {internal.data === null && slide === "instructions" ? <NotFound /> : null}
          {slide === "modules" ? (
            <ModulesSlide
              skus={(internal.data?.modules ?? []).map(({ sku }) => sku)}
              recommended={recommendedIn(products, trim)}
              pending={external.isPending}
              reports={reports}
            />
          ) : null}
          {slide === "t-harnesses" && site?.features.t_harness !== false ? (
            <Harnesses skus={(internal.data?.t_harnesses ?? []).map(({ sku }) => sku)} />
          ) : null}
          {slide === "guides" ? (
            <Documents documents={internal.data?.vehicle_documents ?? []} />
          ) : null}
          {slide === "guides" && isOursKnown && !internal.data?.vehicle_documents.length ? (
            <NotFound />
          ) : null}
        </>
      )}
    </div>
  );
}

/** "2022 Toyota Camry", from the lists that the vehicle was chosen from. */
export function useVehicleName({ year, makeId, modelId }: VehicleKey): string {
  const makes = useQuery(makesQuery(year));
  const models = useQuery(modelsQuery(year, makeId));
  const make = makes.data?.find(({ id }) => id === makeId)?.name;
  const model = models.data?.find(({ id }) => id === modelId)?.name;
  return make && model ? nameOf({ year, make, model }) : "";
}
