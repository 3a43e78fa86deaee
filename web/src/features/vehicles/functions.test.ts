import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { aWire } from "~/testing/a-wire";
import { namesIn } from "./functions";

type Named = { written: string; function: string; is_named: boolean };

const table: Named[] = JSON.parse(
  readFileSync("../tests/vehicles/wiring/function_names.json", "utf8"),
);

test.each(table)("$written is about $function: $is_named", ({ written, ...one }) => {
  const nameOf = namesIn([aWire({ function: one.function })]);
  expect(nameOf(written) === nameOf(one.function)).toBe(one.is_named);
});

test("of several names of ours the one that says most of it is meant", () => {
  const nameOf = namesIn(["Door", "Door Lock"].map((name) => aWire({ function: name })));
  expect(nameOf("DOOR LOCK MOTOR")).toBe(nameOf("Door Lock"));
  expect(nameOf("Door switch")).toBe(nameOf("Door"));
});

test("what we do not name stands by its own words", () => {
  const outside = aWire({ function: "Brake", source: "adsWiring" });
  const nameOf = namesIn([outside]);
  expect(nameOf("BRAKE SWITCH")).not.toBe(nameOf("Brake"));
  expect(nameOf("Wipers, rear")).toBe(nameOf("REAR WIPER"));
  expect(nameOf("–")).toBe("–");
});
