import { useLingui } from "@lingui/react/macro";
import type { Cart, CartLine } from "~/shared/cart/queries";
import { FitVerdict } from "~/shared/fit/fit";
import { Choice } from "~/shared/ui/fields/choice";
import { type VehicleKey, vehicleOf, vehicleValue } from "~/shared/vehicles/address";
import { useChosenVehicle } from "~/shared/vehicles/chosen";
import { useRecentVehicles } from "~/shared/vehicles/search/recent";

type LineVehicleProps = {
  line: CartLine;
  vehicles: Cart["vehicles"];
  onChoose: (vehicle: VehicleKey | null) => void;
};

/** What a line is bought for, and whether it fits there. Vehicles come from the cart and from what was looked at lately. */
export function LineVehicle({ line, vehicles, onChoose }: LineVehicleProps) {
  const { t } = useLingui();
  const chosen = useChosenVehicle();
  const recent = useRecentVehicles();
  const options = new Map([
    ...vehicles.map((one) => [vehicleValue(one), one.name] as const),
    ...(chosen ? [[vehicleValue(chosen.key), chosen.name] as const] : []),
    ...recent.map(({ value, name }) => [value, name] as const),
  ]);
  if (options.size === 0) return null;
  const words = line.vehicle ? t`For ${line.vehicle.name}` : t`For no vehicle`;
  return (
    <>
      {line.fit && line.vehicle ? (
        <FitVerdict fit={line.fit} vehicle={line.vehicle.name} detailed />
      ) : null}
      <details>
        <summary aria-label={`${words}: ${line.variant.name}`}>{words}</summary>
        <Choice
          label={t`Bought for`}
          value={line.vehicle ? vehicleValue(line.vehicle) : ""}
          options={[
            { value: "", label: t`No vehicle` },
            ...[...options].map(([value, label]) => ({ value, label })),
          ]}
          onChange={(value) => onChoose(vehicleOf(value) ?? null)}
        />
      </details>
    </>
  );
}
