import { execFileSync } from "node:child_process";

const READER = `
import io, sys
from pypdf import PdfReader
for page in PdfReader(io.BytesIO(sys.stdin.buffer.read())).pages:
    print(page.extract_text(extraction_mode="layout"))
`;

/** What a PDF says, line by line as it stands on paper: read by the library of the Python tests. */
export function linesOf(pdf: Buffer): string[] {
  const text = execFileSync("python", ["-c", READER], { input: pdf, encoding: "utf8" });
  return text.split("\n").map((line) => line.trim().replace(/\s+/g, " "));
}
