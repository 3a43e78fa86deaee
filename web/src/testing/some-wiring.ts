import { vi } from "vitest";
import type { ExternalWiring, InternalWiring, Wire } from "~/features/vehicles/types";
import type { Schemas } from "~/shared/api/client";

/** Our own reference of a 2022 Toyota Camry: one category of each kind. */
export function ourWiring(more: Partial<InternalWiring> = {}): InternalWiring {
  return {
    id: 7,
    year: 2022,
    make: { id: 448, name: "Toyota" },
    model: { id: 2469, name: "Camry" },
    trims: [],
    description: "Test the hood pin.",
    vehicle_description: "",
    vehicle_documents: [],
    mirrors_vehicle: null,
    image: null,
    created_at: "2026-01-01T00:00:00Z",
    updated_at: "2026-01-01T00:00:00Z",
    wiring_categories: [{ uuid: "w1", title: "Remote Start", count: 1 }],
    instruction_categories: [{ uuid: "i1", title: "Preparation", count: 1 }],
    t_harnesses: [],
    modules: [],
    ...more,
  };
}

/** What outside sources told: rows of one trim each, of a source that was asked just now. */
export function outsideWiring(wires: readonly Wire[] = []): ExternalWiring {
  const rows = (source: Wire["source"]) => wires.filter((wire) => wire.source === source);
  return {
    adsWiring: [{ trim: "LE", wires: rows("adsWiring") }],
    autoMobWiring: [{ Trim: "LE", wires: rows("autoMobWiring") }],
    products: [],
    sources: [aReport(), aReport({ source: "autoMobWiring", name: "3rd Party" })],
  };
}

export function aReport(more: Partial<Schemas["SourceReport"]> = {}): Schemas["SourceReport"] {
  return {
    source: "adsWiring",
    name: "iDatawire",
    state: "fresh",
    fetched_at: "2026-01-01T00:00:00Z",
    count: 1,
    ...more,
  };
}

/** A server that answers by the end of a call's path; what is not given waits for ever, an Error fails as a whole. */
export function aServer(answers: Record<string, unknown>): void {
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname } = new URL(request.url);
    const end = pathname.split("/").at(-1) ?? "";
    if (!(end in answers)) return new Promise<Response>(() => undefined);
    const answer = answers[end];
    const body = answer instanceof Function ? answer(await request.json()) : answer;
    if (body instanceof Error) return Response.json({ status: 500 }, { status: 500 });
    return Response.json(body);
  });
}

/** The lists that name the vehicle. */
export const LISTS = {
  "year-make-model": ({ makeId }: { makeId?: number }) =>
    makeId === undefined ? [{ id: 448, name: "Toyota" }] : [{ id: 2469, name: "Camry" }],
};
