import { Trans, useLingui } from "@lingui/react/macro";
import { useMediaQuery } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { CONSTANTS } from "~/shared/constants";
import { useSite } from "~/shared/session/site";
import { useOpener } from "~/shared/ui/dialogs/opener";
import { fetchedDialog } from "~/shared/ui/fetched";
import { CarIcon } from "~/shared/ui/pictures/icons";
import classes from "./vehicle-menu.module.css";

const VehicleDialog = fetchedDialog(() => import("./vehicle-dialog"));
const VehiclePopover = fetchedDialog(() => import("./vehicle-popover"));

/** The search for a vehicle beside the top search; a page of its own on a phone. Away where wiring is switched off. */
export function VehicleMenu() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const site = useSite();
  const narrow = useMediaQuery(`(max-width: ${CONSTANTS.breakpointMobile}px)`) ?? false;
  const { wanted, below, button } = useOpener("dialog", narrow);
  if (site?.features.wiring_diagrams === false) return null;

  function go(vehicle: string) {
    below.onClose();
    void navigate({ to: "/wiring", search: { vehicle, slide: "vehicle" } });
  }

  return (
    <>
      <button
        type="button"
        className={classes.button}
        aria-label={t`Search by vehicle`}
        {...button}
      >
        <CarIcon />
        <span>
          <Trans>Vehicle</Trans>
        </span>
      </button>
      {narrow ? (
        below.open ? (
          <VehicleDialog onFound={go} button={below.button} onClose={below.onClose} />
        ) : null
      ) : wanted ? (
        <VehiclePopover onFound={go} {...below} />
      ) : null}
    </>
  );
}
