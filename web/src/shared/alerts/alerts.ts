import type { MessageDescriptor } from "@lingui/core";
import { useSyncExternalStore } from "react";
import { problemOf, wordsFor } from "~/shared/api/errors";
import { CONSTANTS } from "~/shared/constants";

export type AlertType = "error" | "success" | "info";
export type AlertLine = MessageDescriptor | string;

export type Alert = {
  id: number;
  type: AlertType;
  content: readonly AlertLine[];
  autoDismiss: boolean;
  /** In ms. */
  timeout: number;
  action?: { label: MessageDescriptor; run: () => void };
};

type Told = Partial<Omit<Alert, "id" | "content">> & { content: AlertLine | readonly AlertLine[] };

let alerts: readonly Alert[] = [];
let last = 0;
const listeners = new Set<() => void>();

/** Shows a message above the page. Errors stay until closed; all else goes by itself, later where something can be done
 * about it (rulings "Screens"). */
export function tell({ content, type = "error", ...more }: Told): number {
  last += 1;
  const lines = Array.isArray(content) ? content : [content];
  become([
    ...alerts,
    {
      id: last,
      type,
      content: lines as readonly AlertLine[], // narrowed above; arrays of a union escape isArray
      autoDismiss: more.autoDismiss ?? (type !== "error" || more.timeout !== undefined),
      timeout: more.timeout ?? (more.action ? CONSTANTS.actionDismiss : CONSTANTS.alertDismiss),
      action: more.action,
    },
  ]);
  return last;
}

/** Shows why something failed; faults of fields as "field - message" lines. */
export function tellProblem(cause: unknown): number {
  const problem = problemOf(cause);
  const lines = problem.fields.map(({ field, message }) => `${field} - ${message}`);
  return tell({ content: lines.length ? lines : [wordsFor(problem)] });
}

export function dismiss(id: number): void {
  become(alerts.filter((alert) => alert.id !== id));
}

export function clearAlerts(): void {
  if (alerts.length) become([]);
}

export function useAlerts(): readonly Alert[] {
  return useSyncExternalStore(onAlerts, () => alerts);
}

function onAlerts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function become(next: readonly Alert[]): void {
  alerts = next;
  for (const listener of listeners) listener();
}
