const ENGLISH = /^-?\d{1,3}(,\d{3})+(\.\d*)?$/;
const FRENCH = /^-?\d{1,3}(\.\d{3})+,\d*$/;

/** What may be typed into an amount: digits, dot and minus (shop spec 5). A comma is the dot of whoever writes French, and
 * the only mark that a keypad set to it has; where it parts thousands it is left out. */
export function amountTyped(text: string): string {
  const plain = text.replaceAll(/[^\d.,-]/g, "");
  if (ENGLISH.test(plain)) return plain.replaceAll(",", "");
  const whole = FRENCH.test(plain) ? plain.replaceAll(".", "") : plain;
  return whole.replaceAll(",", ".");
}
