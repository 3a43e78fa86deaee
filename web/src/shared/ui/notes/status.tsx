import type { ReactNode } from "react";
import { CheckIcon, ClockIcon, CrossIcon, QuestionIcon } from "../pictures/icons";
import classes from "./status.module.css";

export type Tone = "ok" | "wait" | "fail" | "plain";

const ICONS = {
  ok: CheckIcon,
  wait: ClockIcon,
  fail: CrossIcon,
  plain: QuestionIcon,
} satisfies Record<Tone, unknown>;

/** A state in words, with a sign and a colour that only support them. */
export function Status({ tone, children }: { tone: Tone; children: ReactNode }) {
  const Sign = ICONS[tone];
  return (
    <span className={`${classes.status} ${tone === "plain" ? "" : classes[tone]}`}>
      {tone === "plain" ? null : <Sign size={16} />}
      {children}
    </span>
  );
}
