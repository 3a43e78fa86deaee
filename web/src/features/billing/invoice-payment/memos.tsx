import { Trans, useLingui } from "@lingui/react/macro";
import { Checkbox, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { problemOf } from "~/shared/api/errors";
import { dollars } from "~/shared/catalogue/money";
import { isLost, ProblemNote } from "~/shared/ui/notes/note";
import { Panel } from "~/shared/ui/screens/panel";
import { Fault } from "./fault";
import classes from "./payment.module.css";
import { MOST_MEMOS, openMemosQuery } from "./queries";
import type { OpenMemo, Quoted } from "./types";

type MemosProps = {
  label: string;
  chosen: readonly string[];
  quoted: Quoted["credit_memos"];
  onChange: (chosen: readonly string[]) => void;
};

/** Typing within this many milliseconds is one question. */
const PAUSE = 300;

/** The credit memos of the business, of many the oldest, or those that are looked for: each is applied as far as the invoices need it. */
export function Memos({ label, chosen, quoted, onChange }: MemosProps) {
  const { t } = useLingui();
  const [typed, setTyped] = useState("");
  const [term] = useDebouncedValue(typed.trim(), PAUSE);
  const [picked, setPicked] = useState<readonly OpenMemo[]>([]);
  const all = useQuery(openMemosQuery(""));
  const found = useQuery(openMemosQuery(term));
  const failure = found.isError ? (
    <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
  ) : null;
  if (!term && isLost(found)) return failure;
  const listed = found.data?.results ?? [];
  const count = all.data?.count ?? 0;
  if (count === 0 && listed.length === 0) return failure;
  // What was chosen stays in view, whatever is looked for.
  const others = picked.filter(
    ({ id }) => chosen.includes(id) && !listed.some((one) => one.id === id),
  );
  const memos = [...others, ...listed];
  const shown = listed.length;
  return (
    <Panel className={classes.section} aria-label={label}>
      <h2>
        <Trans>Credit memos</Trans>
      </h2>
      {failure}
      {count > MOST_MEMOS ? (
        <>
          {term ? null : (
            <p className={classes.soft} role="status">
              <Trans>
                The oldest {shown} of {count} are shown.
              </Trans>
            </p>
          )}
          <TextInput
            size="md"
            label={t`Find a credit memo by its number`}
            autoComplete="off"
            maxLength={40}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          {term && found.data && shown === 0 ? (
            <p role="status">
              <Trans>No open credit memo has this number.</Trans>
            </p>
          ) : null}
        </>
      ) : null}
      {memos.map((memo) => (
        <Memo
          key={memo.id}
          memo={memo}
          quoted={quoted.find(({ number }) => number === memo.id)}
          checked={chosen.includes(memo.id)}
          onChange={(checked) => {
            setPicked(checked ? [...picked, memo] : picked.filter(({ id }) => id !== memo.id));
            onChange(checked ? [...chosen, memo.id] : chosen.filter((one) => one !== memo.id));
          }}
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
      label={
        <Trans>
          {number}, <span lang="en">{reason}</span>: {left} left
        </Trans>
      }
      description={checked && applied ? t`${applied} of it is applied` : undefined}
      error={checked && quoted?.problem ? <Fault of={quoted.problem} /> : undefined}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
