import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { isOffered } from "~/shared/navigation/links";
import { useSession } from "~/shared/session/session";
import { useSite } from "~/shared/session/site";
import { vehicleValue } from "~/shared/vehicles/address";
import { clearVehicle, useChosenVehicle } from "~/shared/vehicles/chosen";
import classes from "./fit.module.css";

/** Which vehicle products are shown for, and the way out of it. */
export function ChosenBar() {
  const vehicle = useChosenVehicle();
  const site = useSite();
  const now = useSession();
  if (!vehicle || now.state !== "signed-in") return null;
  return (
    <div className={classes.bar}>
      <p>
        <Trans>
          Shown for{" "}
          {isOffered("/wiring", site, now) ? (
            <Link to="/wiring" search={{ vehicle: vehicleValue(vehicle.key), slide: "vehicle" }}>
              {vehicle.name}
            </Link>
          ) : (
            <strong>{vehicle.name}</strong>
          )}
        </Trans>
      </p>
      <Button variant="subtle" size="sm" onClick={clearVehicle}>
        <Trans>Clear the vehicle</Trans>
      </Button>
    </div>
  );
}
