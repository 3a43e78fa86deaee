import { Trans, useLingui } from "@lingui/react/macro";
import { Checkbox } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { problemOf } from "~/shared/api/errors";
import { dollars } from "~/shared/catalogue/money";
import { isLost, ProblemNote } from "~/shared/ui/note";
import { Panel } from "~/shared/ui/panel";
import { Fault } from "./fault";
import classes from "./payment.module.css";
import { openMemosQuery } from "./queries";
import type { OpenMemo, Quoted } from "./types";

type MemosProps = {
  label: string;
  chosen: readonly string[];
  quoted: Quoted["credit_memos"];
  onChange: (chosen: readonly string[]) => void;
};

/** The credit memos of the business: each is applied as far as the invoices need it. */
export function Memos({ label, chosen, quoted, onChange }: MemosProps) {
  const found = useQuery(openMemosQuery);
  const failure = found.isError ? (
    <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
  ) : null;
  const memos = found.data?.results ?? [];
  if (isLost(found) || memos.length === 0) return failure;
  return (
    <Panel className={classes.section} aria-label={label}>
      <h2>
        <Trans>Credit memos</Trans>
      </h2>
      {failure}
      {memos.map((memo) => (
        <Memo
          key={memo.id}
          memo={memo}
          quoted={quoted.find(({ number }) => number === memo.id)}
          checked={chosen.includes(memo.id)}
          onChange={(checked) =>
            onChange(checked ? [...chosen, memo.id] : chosen.filter((one) => one !== memo.id))
          }
        />
      ))}
    </Panel>
  );
}

type MemoProps = {
  memo: OpenMemo;
  quoted: Quoted["credit_memos"][number] | undefined;
  checked: boolean;
  onChange: (checked: boolean) => void;
};

function Memo({ memo, quoted, checked, onChange }: MemoProps) {
  const { i18n, t } = useLingui();
  const { number, reason } = memo;
  const left = dollars(i18n, memo.balance.amount);
  const applied = quoted && dollars(i18n, quoted.applied);
  return (
    <Checkbox
      size="md"
      label={t`${number}, ${reason}: ${left} left`}
      description={checked && applied ? t`${applied} of it is applied` : undefined}
      error={checked && quoted?.problem ? <Fault of={quoted.problem} /> : undefined}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
