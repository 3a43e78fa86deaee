import { execFileSync } from "node:child_process";

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
