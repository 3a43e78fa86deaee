import { CONSTANTS } from "~/shared/constants";

export type Expiry = { expMonth: number; expYear: number };

/** `MMYY` as a month and a year of four digits (devices spec 8); nothing for what is not one. */
export function readExpiry(text: string): Expiry | undefined {
  const found = /^(0[1-9]|1[0-2])\/?(\d\d)$/.exec(text.trim());
  if (!found) return undefined;
  return { expMonth: Number(found[1]), expYear: 2000 + Number(found[2]) };
}

/** Whether a card may say so: this month or later, within the 26 years of the list. */
export function mayExpire({ expMonth, expYear }: Expiry, today: Date): boolean {
  const year = today.getFullYear();
  if (expYear === year) return expMonth >= today.getMonth() + 1;
  return expYear > year && expYear < year + CONSTANTS.cardYears;
}

/** `MMYY`, as the field shows it. */
export function writeExpiry(expMonth: number | null, expYear: number | null): string {
  if (expMonth === null || expYear === null) return "";
  return String(expMonth).padStart(2, "0") + String(expYear % 100).padStart(2, "0");
}
