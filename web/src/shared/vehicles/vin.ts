export const VIN_LENGTH = 17;

const LONGEST_TYPED = 40;
const VIN_FORM = /^[A-HJ-NPR-Z0-9]{17}$/;

/**
 * What was typed, in capitals and without spaces and hyphens. What no VIN holds stays: one that is cut to its form in
 * silence would be another car's.
 */
export function asVin(text: string): string {
  return text.toUpperCase().replace(/[\s-]/g, "").slice(0, LONGEST_TYPED);
}

/** Why what `asVin` left is not looked up; nothing when it is. Never I, O or Q (`domain/vehicles/vehicles.py`). */
export function vinFault(vin: string): "vin_missing" | "vin_malformed" | undefined {
  if (vin === "") return "vin_missing";
  return VIN_FORM.test(vin) ? undefined : "vin_malformed";
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
