import { keyOf } from "~/shared/api/operation";
import type { KeptAnswer } from "~/shared/kept/answers";
import { anActivation } from "./an-activation";

/** A run's answer as it was kept of Ann at no business, a minute ago. */
export function aKeptAnswer(more: Partial<KeptAnswer> = {}): KeptAnswer {
  const id = more.id ?? "a1";
  return {
    kind: "activation",
    id,
    title: "FT-X1-00000042",
    more: "2022 Toyota Camry",
    at: Date.now() - 60_000,
    person: "u1",
    business: null,
    queryKey: [...keyOf("get", "/v1/activations/{id}", { params: { path: { id } } })],
    data: anActivation("power-on-device"),
    ...more,
  };
}
