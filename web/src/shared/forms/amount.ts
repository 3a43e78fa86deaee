const ENGLISH = /^-?\d{1,3}(,\d{3})+(\.\d*)?$/;
const FRENCH = /^-?\d{1,3}(\.\d{3})+,\d*$/;

/** Where an amount has to lie, in dollars: above nothing if nothing is said. */
type Bounds = { least?: number; most?: number };

/** The amount in dollars; undefined for what is none: nothing, beyond these bounds, or with parts of a cent. */
export function amountIn(text: string, { least = 0.01, most = Infinity }: Bounds = {}) {
  if (!/^\d+(\.\d{0,2})?$|^\.\d{1,2}$/.test(text)) return undefined;
  const amount = Number(text);
  return amount >= least && amount <= most ? amount : undefined;
}

/** What may be typed into an amount: digits, dot and minus (shop spec 5). A comma is the dot of whoever writes French, and
 * the only mark that a keypad set to it has; where it parts thousands it is left out. */
export function amountTyped(text: string): string {
  const plain = text.replaceAll(/[^\d.,-]/g, "");
  if (ENGLISH.test(plain)) return plain.replaceAll(",", "");
  const whole = FRENCH.test(plain) ? plain.replaceAll(".", "") : plain;
  return whole.replaceAll(",", ".");
}
