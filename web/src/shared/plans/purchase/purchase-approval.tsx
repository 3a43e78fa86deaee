import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Textarea } from "@mantine/core";
import { dollars } from "~/shared/catalogue/money";
import { withoutSymbols } from "~/shared/forms/validation";
import { Note } from "~/shared/ui/notes/note";
import classes from "./purchase.module.css";
import type { PurchaseRun } from "./use-purchase";

/** States in which an owner, or the buyer before them, has the next word. */
export const APPROVING: ReadonlySet<string> = new Set(["waiting_for_approval", "requoted"]);

type ReasonProps = { value: string; onChange: (reason: string) => void; disabled: boolean };

/** Before somebody agrees: an owner is asked, and reads why. */
export function NeedsApproval({ value, onChange, disabled }: ReasonProps) {
  const { t } = useLingui();
  return (
    <>
      <Note tone="wait">
        <Trans>An owner of your business must approve this purchase before it is paid.</Trans>
      </Note>
      <Textarea
        size="md"
        rows={2}
        maxLength={500}
        label={t`Reason (for the owner)`}
        value={value}
        disabled={disabled}
        onChange={({ currentTarget }) => onChange(withoutSymbols(currentTarget.value))}
      />
    </>
  );
}

/** For the buyer while it waits: who is asked, until when, and what is asked of them if the price has changed. */
export function WaitsForApproval({ run }: { run: PurchaseRun }) {
  const { i18n } = useLingui();
  const { approval } = run.answer.view;
  return (
    <>
      {run.state === "requoted" ? (
        <AgreeAgain run={run} />
      ) : (
        <p>
          <Trans>
            The owners of your business were asked by mail. Nothing is charged before one of them
            approves.
          </Trans>
        </p>
      )}
      {approval?.reason ? (
        <p className={classes.soft}>
          <Trans>Your reason: {approval.reason}</Trans>
        </p>
      ) : null}
      {approval ? (
        <p className={classes.soft}>
          <Trans>It waits until {i18n.date(approval.until, { dateStyle: "medium" })}.</Trans>
        </p>
      ) : null}
      <Button
        size="md"
        variant="subtle"
        disabled={!run.can("CANCEL")}
        onClick={() => run.ask({ type: "CANCEL" })}
      >
        <Trans>Cancel the purchase</Trans>
      </Button>
    </>
  );
}

function AgreeAgain({ run }: { run: PurchaseRun }) {
  const { i18n } = useLingui();
  const { view } = run.answer;
  const before = view.agreed_charge;
  return (
    <>
      <Note tone="wait">
        <Trans>The price has changed since you agreed to it.</Trans>{" "}
        {before === null ? null : (
          <Trans>
            {dollars(i18n, view.final_charge)} instead of {dollars(i18n, before)}
          </Trans>
        )}
      </Note>
      <Button
        size="lg"
        loading={run.sent === "AGREE"}
        disabled={!run.can("AGREE")}
        onClick={() => run.ask({ type: "AGREE", quoteHash: view.quote_hash ?? "" })}
      >
        <Trans>Yes, ask the owner again</Trans>
      </Button>
    </>
  );
}
