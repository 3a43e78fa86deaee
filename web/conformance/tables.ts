/**
 * What XState makes of a generated chart: reads `{"chart": file, "walks": [{"plan": […], "entry": step}]}` from stdin
 * and writes, for each walk, every reachable state with its events and targets, its tags and its meta. An empty plan stands for a chart
 * without steps. A chart that XState cannot load, or that its test models refuse, is an error.
 */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { createMachine } from "xstate";
import { adjacencyMapToArray, createTestModel, getAdjacencyMap } from "xstate/graph";
import { type Chart, chartFor, type Narrowed, type StateMeta } from "../src/shared/flow/chart.ts";

type Asked = { chart: string; walks: { plan: string[]; entry?: string }[] };
type Table = {
  initial: string;
  states: Record<string, Record<string, string>>;
  ends: string[];
  tags: Record<string, string[]>;
  meta: Record<string, StateMeta | undefined>;
};

const asked: Asked = JSON.parse(readFileSync(0, "utf8"));
const loaded: Record<string, Chart> = await import(pathToFileURL(asked.chart).href);
const chart = Object.values(loaded)[0];
if (!chart) throw new Error(`${asked.chart} exports no chart`);
const whole = { ...chart, steps: chart.steps ?? [] };
process.stdout.write(
  JSON.stringify(asked.walks.map(({ plan, entry }) => tableOf(chartFor(whole, plan, entry)))),
);

function tableOf(narrowed: Narrowed): Table {
  const machine = createMachine(narrowed);
  createTestModel(machine);
  const names = Object.values(narrowed.states).flatMap((state) => Object.keys(state.on ?? {}));
  const found = getAdjacencyMap(machine, {
    events: [...new Set(names)].map((type) => ({ type })),
    filterEvents: (snapshot, event) => snapshot.can(event),
    serializeState: (snapshot) => String(snapshot.value),
  });
  const states: Table["states"] = {};
  const ends: string[] = [];
  const tags: Table["tags"] = {};
  const meta: Table["meta"] = {};
  for (const [name, { state }] of Object.entries(found)) {
    states[name] = {};
    tags[name] = [...state.tags];
    meta[name] = Object.values<StateMeta>(state.getMeta())[0];
    if (state.status === "done") ends.push(name);
  }
  for (const { state, event, nextState } of adjacencyMapToArray(found)) {
    const from = states[String(state.value)];
    if (from) from[event.type] = String(nextState.value);
  }
  return { initial: narrowed.initial, states, ends, tags, meta };
}
