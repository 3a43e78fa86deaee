import { Trans, useLingui } from "@lingui/react/macro";
import { Link, useRouter, useRouterState } from "@tanstack/react-router";
import { backFrom, storedBack } from "~/shared/navigation/back";
import { bare, trail } from "~/shared/navigation/routes";
import { BackIcon } from "~/shared/ui/icons";
import classes from "./breadcrumbs.module.css";

/**
 * The trail to this page, when it has more than one crumb; on narrow screens one step back instead. A vehicle's wiring has
 * one crumb, and Back to the search (shell spec 2).
 */
export function Breadcrumbs() {
  const { t, i18n } = useLingui();
  const router = useRouter();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const inVehicle = useRouterState({
    select: ({ location: { pathname, search } }) =>
      bare(pathname) === "/wiring" && "vehicle" in search && Boolean(search.vehicle),
  });
  const crumbs = trail(path);
  if (crumbs.length <= 1 && !inVehicle) return null;
  const back = backFrom(path, crumbs, storedBack());

  function goBack() {
    if (back.kind === "screen") void router.navigate({ to: back.to as "/" });
    else router.history.back();
  }

  return (
    <nav aria-label={t`Breadcrumb`} className={classes.trail}>
      {back.kind === "step" ? null : (
        <button type="button" onClick={goBack}>
          <BackIcon />
          <Trans>Back</Trans>
        </button>
      )}
      {crumbs.length > 1 ? (
        <ol>
          {crumbs.map(({ label, to }, place) => (
            <li key={to}>
              {place === crumbs.length - 1 ? (
                <span aria-current="page">{i18n._(label)}</span>
              ) : (
                <Link to={to as "/"}>{i18n._(label)}</Link>
              )}
            </li>
          ))}
        </ol>
      ) : null}
    </nav>
  );
}
