import { readFileSync } from "node:fs";

const read = (file: string) => readFileSync(`src/${file}`, "utf8");

/** What `SCREENS` calls a screen, in English: browsers' journeys cannot run what writes texts into the code. */
export function titleOf(path: string): string {
  const said = read("shared/navigation/routes.ts").split(`\n  "${path}": `)[1];
  return /^\w+\(msg`([^`]+)`/.exec(said ?? "")?.[1] ?? "";
}

/** The French of a text that stands in one line of the catalogue. */
export function inFrench(text: string): string {
  const said = read("i18n/fr.po").split(`\nmsgid ${JSON.stringify(text)}\nmsgstr `)[1];
  return said ? JSON.parse(said.split("\n")[0] ?? "") : "";
}
