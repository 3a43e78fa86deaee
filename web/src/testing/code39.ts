/** Draws a Code 39 label, for tests: labels on cars are printed in it. */
import type { Frame } from "~/shared/scan/frames";

const SIGNS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-*";
/** Nine bars and spaces of each sign; a set bit is a wide one. */
const WIDTHS = [
  0x34, 0x121, 0x61, 0x160, 0x31, 0x130, 0x70, 0x25, 0x124, 0x64, 0x109, 0x49, 0x148, 0x19, 0x118,
  0x58, 0x0d, 0x10c, 0x4c, 0x1c, 0x103, 0x43, 0x142, 0x13, 0x112, 0x52, 0x07, 0x106, 0x46, 0x16,
  0x181, 0xc1, 0x1c0, 0x91, 0x190, 0xd0, 0x85, 0x94,
];

/** For each column whether it is dark. */
export function code39(text: string, narrow = 2): boolean[] {
  const columns: boolean[] = [];
  for (const sign of `*${text}*`) {
    const widths = WIDTHS[SIGNS.indexOf(sign)] ?? 0;
    for (let place = 8; place >= 0; place--) {
      const wide = (widths >> place) & 1;
      columns.push(...Array<boolean>(narrow * (wide ? 2 : 1)).fill(place % 2 === 0));
    }
    columns.push(...Array<boolean>(narrow).fill(false));
  }
  return columns;
}

/** The label in the middle of a white picture. */
export function labelOf(text: string, width = 640, height = 240): Frame {
  const columns = code39(text);
  const left = Math.floor((width - columns.length) / 2);
  const data = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let y = 40; y < height - 40; y++) {
    for (const [x, dark] of columns.entries()) {
      if (dark) data.fill(0, (y * width + left + x) * 4, (y * width + left + x) * 4 + 3);
    }
  }
  return { data, width, height };
}
