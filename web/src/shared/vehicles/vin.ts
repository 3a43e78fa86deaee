export const VIN_LENGTH = 17;

/** What can stand in a VIN, in capitals: no spaces, no hyphens, never I, O or Q. */
export function asVin(text: string): string {
  return text
    .toUpperCase()
    .replace(/[^A-HJ-NPR-Z0-9]/g, "")
    .slice(0, VIN_LENGTH);
}

const LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ";
const VALUES = "12345678123457923456789";
const WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];

/** Whether the ninth character fits the others (49 CFR 565.15); binding in North America alone, so it only warns. */
export function fitsCheckDigit(vin: string): boolean {
  const sum = [...vin].reduce((total, sign, place) => {
    const letter = LETTERS.indexOf(sign);
    const value = Number(letter < 0 ? sign : VALUES[letter]);
    return total + value * (WEIGHTS[place] ?? 0);
  }, 0);
  const expected = sum % 11 === 10 ? "X" : String(sum % 11);
  return vin[8] === expected;
}

/** The VIN in what codes say: some put an I before it, some an address around it; one whose check digit fits comes first. */
export function vinAmong(texts: readonly string[]): string | undefined {
  const found = texts.flatMap((text) => {
    const bare = text
      .trim()
      .toUpperCase()
      .replace(/^I(?=[A-HJ-NPR-Z0-9]{17}$)/, "");
    return bare.match(/(?<![A-Z0-9])[A-HJ-NPR-Z0-9]{17}(?![A-Z0-9])/g) ?? [];
  });
  return found.find(fitsCheckDigit) ?? found[0];
}
