import { useLingui } from "@lingui/react/macro";
import { Dialog } from "~/shared/ui/dialogs/dialog";
import type { Below } from "~/shared/ui/dialogs/opener";
import { VehicleSearch } from "./vehicle-search";

type VehicleDialogProps = Pick<Below, "button" | "onClose"> & {
  onFound: (vehicle: string) => void;
};

/** The search for a vehicle as a page of its own. */
export default function VehicleDialog({ onFound, onClose }: VehicleDialogProps) {
  const { t } = useLingui();
  return (
    <Dialog fullScreen onClose={onClose} title={t`Search by vehicle`}>
      <VehicleSearch onFound={onFound} />
    </Dialog>
  );
}
