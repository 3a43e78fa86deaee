import { Trans, useLingui } from "@lingui/react/macro";
import { Skeleton, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { problemOf } from "~/shared/api/errors";
import { Dialog } from "~/shared/ui/dialogs/dialog";
import { ProblemNote } from "~/shared/ui/notes/note";
import { externalWiringQuery, internalWiringQuery } from "~/shared/vehicles/queries";
import type { WiringBesideProps } from "~/shared/vehicles/wiring/beside";
import { holds } from "./columns";
import { LackingNote } from "./parts/lacking-note";
import { FoundRows } from "./parts/wiring-slide";
import { groupsOf, reportsOf, useInternalGroups } from "./use-wires";
import classes from "./wiring.module.css";

/** All wiring of a vehicle over the page that asks for it, which stays as it is. */
export default function WiringBeside({ vehicle, name, onClose }: WiringBesideProps) {
  const { t } = useLingui();
  const [find, setFind] = useState("");
  const internal = useQuery(internalWiringQuery(vehicle));
  const external = useQuery(externalWiringQuery(vehicle));
  const own = useInternalGroups(internal.data);
  const all = [
    ...own.groups,
    ...groupsOf(external.data, "adsWiring"),
    ...groupsOf(external.data, "autoMobWiring"),
  ].flatMap(({ wires }) => wires);
  const failed = internal.error ?? (internal.data ? undefined : external.error);
  return (
    <Dialog title={<Trans>Wiring: {name}</Trans>} onClose={onClose} size="xl">
      <div className={classes.page}>
        <TextInput
          size="md"
          type="search"
          label={t`Find in all sources`}
          value={find}
          maxLength={80}
          onChange={(event) => setFind(event.currentTarget.value)}
        />
        {failed ? (
          <ProblemNote
            problem={problemOf(failed)}
            onRetry={() => void Promise.all([internal.refetch(), external.refetch()])}
          />
        ) : null}
        {failed && internal.data === undefined ? null : internal.isPending || own.pending ? (
          <Skeleton height={220} radius="lg" />
        ) : (
          <>
            <LackingNote lacking={own.lacking} />
            <FoundRows
              wires={all.filter((wire) => holds(wire, find))}
              all={all}
              mirrored={internal.data?.mirrors_vehicle}
              find={find || name}
              reports={reportsOf(internal.data, external)}
            />
          </>
        )}
      </div>
    </Dialog>
  );
}
