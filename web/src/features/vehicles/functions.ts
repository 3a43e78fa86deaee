import type { Wire } from "./types";

/**
 * Under which name a function stands beside what other sources tell of it: that of our reference which says most of it, as
 * "BRAKE SWITCH", "Door Locks" or "Ignition (1)" are about what we call Brake, Door Lock and Ignition 1; else its own words.
 * The rule is that of `names` in `domain/vehicles/served_wires.py`; one table tests both.
 */
export function namesIn(wires: readonly Wire[]): (written: string) => string {
  const ours = wires.filter(({ source }) => source === "internal").map((wire) => wire.function);
  const known = [...new Set(ours)]
    .map(wordsOf)
    .filter(({ size }) => size > 0)
    .sort((one, other) => other.size - one.size);
  return (written) => {
    const words = wordsOf(written);
    const name = known.find((one) => [...one].every((word) => words.has(word))) ?? words;
    return [...name].sort().join(" ") || written;
  };
}

function wordsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return new Set(words.map((word) => word.replace(/s+$/, "")));
}
