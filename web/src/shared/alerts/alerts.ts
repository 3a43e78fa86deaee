import type { MessageDescriptor } from "@lingui/core";
import { type Problem, problemOf, UNREACHABLE } from "~/shared/api/errors";
import { CONSTANTS } from "~/shared/constants";
import { storeOf } from "~/shared/store";

type AlertType = "error" | "success" | "info";
type AlertLine = MessageDescriptor | string;

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

const alerts = storeOf<readonly Alert[]>([]);
let last = 0;

/** Shows a message above the page. Errors stay until closed; all else goes by itself, later where something can be done
 * about it (rulings "Screens"). */
export function tell({ content, type = "error", ...more }: Told): number {
  last += 1;
  const lines = Array.isArray(content) ? content : [content];
  alerts.set([
    ...alerts.get(),
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

/** Shows why something failed, with the reference of what is ours to mend; faults of fields as "field - message" lines. The
 * words are no part of the first page. */
export async function tellProblem(cause: unknown): Promise<void> {
  const problem = problemOf(cause);
  const lines = problem.fields.map(({ field, message }) => `${field} - ${message}`);
  tell({ content: lines.length ? lines : await words(problem) });
}

function words(problem: Problem): Promise<AlertLine[]> | AlertLine[] {
  if (problem.code === "unreachable") return [UNREACHABLE];
  return inTime(import("~/shared/ui/notes/problem-words")).then(
    ({ linesWithReference }) => linesWithReference(problem),
    () => [problem.detail],
  );
}

/** One that takes longer than a call may is taken for one that cannot be fetched (`isMissingScript`). */
export function inTime<Script>(script: Promise<Script>): Promise<Script> {
  const late = new Promise<never>((_, fail) => {
    setTimeout(fail, CONSTANTS.requestTimeout, new Error("module script"));
  });
  return Promise.race([script, late]);
}

export function dismiss(id: number): void {
  alerts.set(alerts.get().filter((alert) => alert.id !== id));
}

export function clearAlerts(): void {
  if (alerts.get().length) alerts.set([]);
}

export const useAlerts = alerts.use;
