/** Fails when an import runs against the direction shared → features → layouts → routes → app, or between features. */
import { globSync, readFileSync } from "node:fs";
import { dirname, normalize, relative } from "node:path";

const ORDER = ["shared", "features", "layouts", "routes", "app"];
const FREE = new Set(["i18n", "testing"]);
const root = new URL("../src/", import.meta.url).pathname;
const faults: string[] = [];

function place(path: string): { layer: string; area: string } {
  const [layer = "", area = ""] = path.split("/");
  return { layer, area };
}

for (const file of globSync("**/*.{ts,tsx}", { cwd: root })) {
  const from = place(file);
  if (file.endsWith("/index.ts") && from.layer !== "routes") faults.push(`${file}: barrel file`);
  if (file.endsWith(".gen.ts")) continue;
  const text = readFileSync(root + file, "utf8");
  for (const [, name = ""] of text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)) {
    const across = name.startsWith("~/");
    if (!across && !name.startsWith(".")) continue;
    const target = across
      ? name.slice(2)
      : normalize(relative(root, `${root}${dirname(file)}/${name}`));
    const to = place(target);
    if (FREE.has(to.layer) || FREE.has(from.layer)) continue;
    if (
      !across &&
      (from.layer !== to.layer || (from.layer === "features" && from.area !== to.area))
    )
      faults.push(`${file}: "${name}" leaves its folder without the alias`);
    if (ORDER.indexOf(to.layer) > ORDER.indexOf(from.layer))
      faults.push(`${file}: ${from.layer} imports ${target}`);
    if (from.layer === "features" && to.layer === "features" && from.area !== to.area)
      faults.push(`${file}: feature ${from.area} imports feature ${to.area}`);
  }
}

for (const fault of faults) console.error(fault);
console.log(`imports: ${faults.length} faults`);
process.exitCode = faults.length ? 1 : 0;
