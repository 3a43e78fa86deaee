import { Trans, useLingui } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { dollars } from "~/shared/catalogue/money";
import { LineItem, LineItems } from "~/shared/ui/lists/line-item";
import { Status } from "~/shared/ui/notes/status";
import type { PurchaseLine } from "../types";
import { CHANGE_WORDS, LINE_WORDS, PROBLEM_WORDS } from "../words";
import classes from "./purchase.module.css";

type PurchaseLinesProps = {
  lines: readonly PurchaseLine[];
  /** What may be done about a line, beside it. */
  actionOf?: (line: PurchaseLine) => ReactNode;
};

/** The devices of a purchase: their plans, what each costs before tax, where each stands, and what is wrong with it. */
export function PurchaseLines({ lines, actionOf }: PurchaseLinesProps) {
  const { t, i18n } = useLingui();
  return (
    <LineItems aria-label={t`Devices and plans`}>
      {lines.map((line) => {
        const known = LINE_WORDS[line.status];
        return (
          <LineItem
            key={line.device_key}
            data-status={line.status}
            name={line.new_plan_name || nameIn(line.plan_id)}
            code={line.device_key}
            amount={
              <>
                {line.problem && line.paid === 0 ? "–" : dollars(i18n, line.total - line.tax)}
                {line.credit > 0 ? (
                  <small>
                    <Trans>{dollars(i18n, line.credit)} left of the present plan</Trans>
                  </small>
                ) : null}
              </>
            }
          >
            {line.problem ? null : <Means line={line} />}
            {known ? <Status tone={known.tone}>{i18n._(known.words)}</Status> : null}
            <Fault line={line} />
            <Paid line={line} />
            {actionOf?.(line)}
          </LineItem>
        );
      })}
    </LineItems>
  );
}

/** What the plan is to the device, and until when it holds. */
function Means({ line }: { line: PurchaseLine }) {
  const { i18n } = useLingui();
  const change = i18n._(CHANGE_WORDS[line.change]);
  if (!line.ends_at) return <small>{change}</small>;
  const day = i18n.date(line.ends_at, { dateStyle: "medium" });
  return (
    <small>
      <Trans>
        {change}, until {day}
      </Trans>
    </small>
  );
}

/** What became of the money of a line, once it was taken. */
function Paid({ line: { status, paid, refunded } }: { line: PurchaseLine }) {
  const { i18n } = useLingui();
  if (paid === 0) return null;
  const amount = dollars(i18n, refunded > 0 ? refunded : paid);
  return (
    <small data-paid={status}>
      {refunded > 0 ? (
        <Trans>{amount} paid back, tax included</Trans>
      ) : status === "owed" ? (
        <Trans>{amount} is being paid back, tax included</Trans>
      ) : (
        <Trans>{amount} paid, tax included</Trans>
      )}
    </small>
  );
}

function Fault({ line: { problem, detail } }: { line: PurchaseLine }) {
  const { i18n } = useLingui();
  const words = problem ? PROBLEM_WORDS[problem] : undefined;
  if (!words && !detail) return null;
  return <p className={classes.fault}>{words ? i18n._(words) : detail}</p>;
}

/** A line that cannot be bought tells its plan's id alone: `premium_prepaid-1_year` is Premium Prepaid. */
function nameIn(planId: string): string {
  const [slug = ""] = planId.split("-");
  return slug.replaceAll("_", " ").replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
