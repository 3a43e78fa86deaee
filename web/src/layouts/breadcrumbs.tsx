import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { bare } from "~/shared/navigation/routes";
import { useBack } from "~/shared/navigation/use-back";
import { BackIcon } from "~/shared/ui/pictures/icons";
import classes from "./breadcrumbs.module.css";

/**
 * The trail to this page, when it has more than one crumb; on narrow screens one step back instead. A vehicle's wiring has
 * one crumb, and Back to the search; its slides stand below its options (shell spec 2). A crumb that was left for this page leads to it as it was.
 */
export function Breadcrumbs() {
  const { t, i18n } = useLingui();
  const { location, crumbs, before, go } = useBack();
  const { pathname, search } = location;
  const inVehicle = bare(pathname) === "/wiring" && "vehicle" in search && Boolean(search.vehicle);
  if (crumbs.length <= 1 && !inVehicle) return null;

  return (
    <nav aria-label={t`Breadcrumb`} className={classes.trail}>
      {go ? (
        <button type="button" onClick={go}>
          <BackIcon />
          <Trans>Back</Trans>
        </button>
      ) : null}
      {crumbs.length > 1 ? (
        <ol>
          {crumbs.map(({ label, to, search: above }, place) => (
            <li key={label.id}>
              {place === crumbs.length - 1 ? (
                <span aria-current="page">{i18n._(label)}</span>
              ) : (
                <Link to={to as "/"} search={above ?? (before?.path === to ? before.search : {})}>
                  {i18n._(label)}
                </Link>
              )}
            </li>
          ))}
        </ol>
      ) : null}
    </nav>
  );
}
