/** A vehicle of our lists, by what it was chosen by. */
export type VehicleDetails = {
  year: number;
  make_id: number;
  make: string;
  model_id: number;
  model: string;
};
