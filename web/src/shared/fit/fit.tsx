import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useMemo } from "react";
import { useSession } from "~/shared/session/session";
import { Status, type Tone } from "~/shared/ui/notes/status";
import { type ChosenVehicle, useChosenVehicle } from "~/shared/vehicles/chosen";
import classes from "./fit.module.css";
import { type Fit, fitQuery } from "./queries";

type Known = { vehicle: ChosenVehicle; fits: ReadonlyMap<string, Fit> };

const FitContext = createContext<Known | undefined>(undefined);

const NOWHERE = { year: 0, makeId: 0, modelId: 0 };
const TONES = {
  fits: "ok",
  needs: "wait",
  does_not_fit: "fail",
  unknown: "plain",
} satisfies Record<Fit["verdict"], Tone>;

/** Asks once for a list of products whether they fit the chosen vehicle. Visitors are told nothing. */
export function FitProvider({
  productIds,
  children,
}: {
  productIds: readonly string[];
  children: ReactNode;
}) {
  const vehicle = useChosenVehicle();
  const signedIn = useSession().state === "signed-in";
  const { data } = useQuery({
    ...fitQuery(vehicle?.key ?? NOWHERE, productIds),
    enabled: signedIn && vehicle !== undefined && productIds.length > 0,
  });
  const known = useMemo(
    () =>
      vehicle && data
        ? { vehicle, fits: new Map(data.fits.map((fit) => [fit.productId, fit])) }
        : undefined,
    [vehicle, data],
  );
  return <FitContext value={known}>{children}</FitContext>;
}

/** The chosen vehicle, if anything is known of this product in it. */
export function useVehicleFor(productId: string): ChosenVehicle | undefined {
  const known = useContext(FitContext);
  const verdict = known?.fits.get(productId)?.verdict;
  return verdict && verdict !== "unknown" ? known?.vehicle : undefined;
}

/** The verdict on a product in a list, for the chosen vehicle. */
export function FitOf({ productId, detailed }: { productId: string; detailed?: boolean }) {
  const known = useContext(FitContext);
  const fit = known?.fits.get(productId);
  return known && fit ? (
    <FitVerdict fit={fit} vehicle={known.vehicle.name} detailed={detailed} />
  ) : null;
}

/** The same in one line, where the list says for which vehicle. */
export function FitWord({ productId }: { productId: string }) {
  const fit = useContext(FitContext)?.fits.get(productId);
  if (!fit) return null;
  return (
    <Status tone={TONES[fit.verdict]}>
      {fit.verdict === "fits" ? <Trans>Fits</Trans> : null}
      {fit.verdict === "needs" ? (
        <Plural value={fit.needs.length} one="Fits with # more" other="Fits with # more" />
      ) : null}
      {fit.verdict === "does_not_fit" ? <Trans>Does not fit</Trans> : null}
      {fit.verdict === "unknown" ? <Trans>Not known</Trans> : null}
    </Status>
  );
}

type FitVerdictProps = { fit: Fit; vehicle: string; detailed?: boolean };

/** Whether a product fits, what it needs besides, and, in detail, why and who says so. */
export function FitVerdict({ fit, vehicle, detailed = false }: FitVerdictProps) {
  const { t } = useLingui();
  const needs = fit.needs.map(({ name }) => name).join(", ");
  return (
    <div className={classes.fit}>
      <Status tone={TONES[fit.verdict]}>
        {fit.verdict === "fits" ? <Trans>Fits {vehicle}</Trans> : null}
        {fit.verdict === "needs" ? (
          <Trans>
            Fits {vehicle} with: {needs}
          </Trans>
        ) : null}
        {fit.verdict === "does_not_fit" ? <Trans>Does not fit {vehicle}</Trans> : null}
        {fit.verdict === "unknown" ? <Trans>Fit in {vehicle} not known</Trans> : null}
      </Status>
      {fit.reason ? <p lang="en">{fit.reason}</p> : null}
      {detailed && fit.source ? (
        <small>
          {fit.mirrored ? (
            <Trans>Source: {fit.source}, told of a vehicle that is wired alike</Trans>
          ) : (
            t`Source: ${fit.source}`
          )}
        </small>
      ) : null}
    </div>
  );
}
