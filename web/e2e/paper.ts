import { execFileSync } from "node:child_process";

const READER = `
import io, sys
from pypdf import PdfReader
for page in PdfReader(io.BytesIO(sys.stdin.buffer.read())).pages:
    print(page.extract_text())
`;

/** What a PDF says, word by word: the browser writes letters as numbers of a font, which the Python tests' library reads. */
export function textOf(pdf: Buffer): string {
  const text = execFileSync("python", ["-c", READER], { input: pdf, encoding: "utf8" });
  return text.replace(/\s+/g, " ");
}
