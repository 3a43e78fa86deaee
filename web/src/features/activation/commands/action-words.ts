import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { useLingui } from "@lingui/react/macro";
import type { Action } from "../calls";
import { COMMAND_WORDS, STEP_WORDS, TOGGLE_WORDS } from "../words";

/** What was pressed, for what is called by one word wherever it stands. */
const WORDS: Record<
  Exclude<Action["type"], "SUBMIT" | "ACT" | "SET_FEATURE" | "SET_PIN">,
  MessageDescriptor
> = {
  DELETE_PIN: msg`Delete the secondary pin`,
  BUY_PLAN: msg`Pay`,
  SKIP: msg`Skip`,
  BACK: msg`Back`,
  RESET: msg`Start over`,
  CHANGE_DEVICE: msg`Use another device`,
  ABANDON: msg`Abandon`,
  HAND_OVER: msg`Hand over to a colleague`,
  FIRMWARE_RETRY: msg`Firmware update`,
  FIRMWARE_CANCEL: msg`Firmware update`,
  FIRMWARE_DEFER: msg`Firmware update`,
  FIRMWARE_OVERRULE: msg`Firmware update`,
};

/** The name of what was asked at a step, as its button has it; a form's is that of its step. */
export function useActionWords(step: string): (action: Action) => string {
  const { t, i18n } = useLingui();
  return (action) => {
    switch (action.type) {
      case "SUBMIT":
        return STEP_WORDS[step] ? i18n._(STEP_WORDS[step]) : step;
      case "ACT": {
        const words = COMMAND_WORDS[action.command];
        return words ? i18n._(words) : action.command;
      }
      case "SET_PIN":
        return action.slot === "master" ? t`Save the master pin` : t`Save the secondary pin`;
      case "SET_FEATURE":
        return i18n._(TOGGLE_WORDS[action.feature].name);
      default:
        return i18n._(WORDS[action.type]);
    }
  };
}
