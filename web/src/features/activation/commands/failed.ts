import type { CommandRow } from "../types";

const FAILED: ReadonlySet<CommandRow["state"]> = new Set(["timed_out", "refused"]);

/** The test that failed last and has not worked since. */
export function failedTest(rows: readonly CommandRow[]): CommandRow | undefined {
  const latest = new Map(rows.map((row) => [row.command, row]));
  return rows.findLast((row) => FAILED.has(row.state) && latest.get(row.command) === row);
}
