import type { Cart } from "~/shared/cart/queries";

const KEY = "fit_warning_seen";

/** What speaks against the vehicles of a cart, as short names. */
export function fitFaults(cart: Pick<Cart, "lines" | "vehicles">): string[] {
  const unfit = cart.lines
    .filter(({ fit }) => fit?.verdict === "does_not_fit")
    .map(({ id }) => `unfit ${id}`);
  const lacking = cart.vehicles.flatMap(({ id, lacking }) =>
    lacking.map(({ need }) => `lacks ${id} ${need.productId}`),
  );
  return [...unfit, ...lacking];
}

/** Whether exactly these were told for this cart in this tab. */
export function isSeen(token: string, faults: readonly string[]): boolean {
  return sessionStorage.getItem(KEY) === named(token, faults);
}

export function setSeen(token: string, faults: readonly string[]): void {
  sessionStorage.setItem(KEY, named(token, faults));
}

function named(token: string, faults: readonly string[]): string {
  return [token, ...faults].join("\n");
}
