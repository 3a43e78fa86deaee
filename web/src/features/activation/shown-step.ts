/** The step to show: the one asked for when it lies before the present one in the plan, else the present one. */
export function shownStep(
  plan: readonly string[],
  present: string,
  asked: string | undefined,
): string {
  const at = asked === undefined ? -1 : plan.indexOf(asked);
  return at >= 0 && at < plan.indexOf(present) ? (plan[at] ?? present) : present;
}
