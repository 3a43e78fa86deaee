import { CONSTANTS } from "~/shared/constants";

/** The number on the cart: nothing for an empty one, 9+ above nine (shop spec 2). */
export function badgeOf(count: number): string {
  if (count <= 0) return "";
  return count > CONSTANTS.cartBadgeCap ? `${CONSTANTS.cartBadgeCap}+` : String(count);
}
