import { execFileSync } from "node:child_process";
import type { Locator } from "@playwright/test";

const READER = `
import io, sys
from pypdf import PdfReader
for page in PdfReader(io.BytesIO(sys.stdin.buffer.read())).pages:
    print(page.extract_text())
`;

/**
 * What a PDF says, read by the library of the Python tests. A column that stays in sight on the screen is drawn after the
 * others, so that the cells of a row are not beside each other.
 */
export function textOf(pdf: Buffer): string {
  const text = execFileSync("python", ["-c", READER], { input: pdf, encoding: "utf8" });
  return text.replace(/\s+/g, " ");
}

/** How black the darkest dot of a part is where it is printed without colours, and how white the lightest: 0 to 255. */
export async function greysOf(part: Locator): Promise<{ darkest: number; lightest: number }> {
  const page = part.page();
  await page.evaluate(() => {
    document.documentElement.style.filter = "grayscale(1)";
  });
  const picture = (await part.screenshot()).toString("base64");
  return page.evaluate(async (png) => {
    document.documentElement.style.filter = "";
    const image = new Image();
    image.src = `data:image/png;base64,${png}`;
    await image.decode();
    const { width, height } = image;
    const pen = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
    if (!pen) throw new Error("no canvas");
    pen.drawImage(image, 0, 0);
    const { data } = pen.getImageData(0, 0, width, height);
    const greys = data.filter((_, place) => place % 4 === 0).sort(); // red, green and blue are alike
    return { darkest: greys.at(0) ?? 0, lightest: greys.at(-1) ?? 0 };
  }, picture);
}
