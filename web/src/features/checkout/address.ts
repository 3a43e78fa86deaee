/** The cart that a checkout page is about: `?token=…`; anything that is no token is dropped. */
type CheckoutSearch = { token?: string };

const TOKEN = /^[\w-]{16,64}$/;

export function checkoutSearch(search: Record<string, unknown>): CheckoutSearch {
  const { token } = search;
  return typeof token === "string" && TOKEN.test(token) ? { token } : {};
}
