import type { Action } from "~/features/activation/calls";
import { ACTIVATION } from "~/features/activation/flow";
import type { Run } from "~/features/activation/session-hook";
import type { FlowAnswer } from "~/features/activation/types";
import { aFlowOnScreen } from "./a-flow-on-screen";

/** An activation on screen as the server last told it, and what was asked of it. */
export function aRunOnScreen(answer: FlowAnswer): { run: Run; asked: Action[] } {
  return aFlowOnScreen(answer, ACTIVATION);
}
