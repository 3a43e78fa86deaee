import { Trans, useLingui } from "@lingui/react/macro";
import { Popover } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { CONSTANTS } from "~/shared/constants";
import { useSite } from "~/shared/session/site";
import { Dialog } from "~/shared/ui/dialog";
import { fetchedDialog } from "~/shared/ui/fetched";
import { CarIcon } from "~/shared/ui/icons";
import classes from "./vehicle-menu.module.css";

type SearchProps = { onFound: (vehicle: string) => void; onClose: () => void };

const VehicleSearch = fetchedDialog<SearchProps>(async () => ({
  default: (await import("./vehicle-search")).VehicleSearch,
}));

/** The search for a vehicle beside the top search; a page of its own on a phone. Away where wiring is switched off. */
export function VehicleMenu() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const site = useSite();
  const narrow = useMediaQuery(`(max-width: ${CONSTANTS.breakpointMobile}px)`) ?? false;
  const [open, setOpen] = useState(false);
  if (site?.features.wiring_diagrams === false) return null;

  function go(vehicle: string) {
    setOpen(false);
    void navigate({ to: "/wiring", search: { vehicle, slide: "vehicle" } });
  }

  const button = (
    <button
      type="button"
      className={classes.button}
      aria-haspopup="dialog"
      aria-expanded={open}
      aria-label={t`Search by vehicle`}
      onClick={() => setOpen(!open)}
    >
      <CarIcon />
      <span>
        <Trans>Vehicle</Trans>
      </span>
    </button>
  );
  const search = <VehicleSearch onFound={go} onClose={() => setOpen(false)} />;

  if (narrow) {
    return (
      <>
        {button}
        {open ? (
          <Dialog fullScreen onClose={() => setOpen(false)} title={t`Search by vehicle`}>
            {search}
          </Dialog>
        ) : null}
      </>
    );
  }
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-end"
      width={420}
      shadow="md"
      trapFocus
      returnFocus
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown aria-label={t`Search by vehicle`}>{search}</Popover.Dropdown>
    </Popover>
  );
}
