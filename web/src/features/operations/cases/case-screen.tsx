import { Trans, useLingui } from "@lingui/react/macro";
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { problemOf } from "~/shared/api/errors";
import { belongsTo } from "~/shared/cases/words";
import { dollars } from "~/shared/catalogue/money";
import { OlderPage } from "~/shared/flow/older-page";
import { Age } from "~/shared/time/age";
import { momentInFigures } from "~/shared/time/day";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Status } from "~/shared/ui/notes/status";
import { Heading } from "~/shared/ui/screens/heading";
import { Panel } from "~/shared/ui/screens/panel";
import { Titled } from "../more";
import classes from "../operations.module.css";
import { troubleOf } from "../words";
import { CaseActions } from "./case-actions";
import { useCase } from "./flow";
import { type Case, type CaseView, caseQuery, isShown } from "./queries";
import { causeOf, headingOf, isOwed, toneOfCase, wordsOf } from "./words";

/** One case: what happened, where it stands, what was done, and what can be done. */
export function CaseScreen({ id }: { id: string }) {
  const { t, i18n } = useLingui();
  const found = useQuery(caseQuery(id));
  const one = found.data;
  return (
    <div className={classes.page}>
      <Heading focusKey={id}>{one ? headingOf(i18n, one.belongs_to) : t`Case`}</Heading>
      {found.isPending ? <Skeleton height={260} radius="lg" /> : null}
      {found.isError ? (
        <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
      ) : null}
      {one && isShown(one) ? <Followed key={id} first={one} /> : null}
      {one && !isShown(one) ? <Shown of={one} ended={false} /> : null}
    </div>
  );
}

function Followed({ first }: { first: Case }) {
  const run = useCase(first);
  const { view, allowed, ended } = run.answer;
  return (
    <>
      <OlderPage drift={run.drift} />
      <Shown of={view} ended={ended}>
        {allowed.length > 0 ? <CaseActions run={run} /> : null}
      </Shown>
    </>
  );
}

type ShownProps = { of: CaseView; ended: boolean; children?: ReactNode };

function Shown({ of, ended, children }: ShownProps) {
  return (
    <>
      <Panel>
        <Facts of={of} ended={ended} />
      </Panel>
      {children}
      <Done of={of} />
    </>
  );
}

const asTrouble = ({ code, detail }: NonNullable<CaseView["error"]>) =>
  ({ kind: "case", error: detail, error_code: code }) as const;

function Facts({ of, ended }: { of: CaseView; ended: boolean }) {
  const { t, i18n } = useLingui();
  const fact = (label: string, value: ReactNode) =>
    value ? (
      <>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </>
    ) : null;
  const { id, belongs_to } = of;
  return (
    <dl className={classes.facts}>
      {fact(t`State`, <Status tone={toneOfCase(of)}>{i18n._(wordsOf(of))}</Status>)}
      {fact(t`What happened`, i18n._(causeOf(of)))}
      {fact(t`Reason`, of.detail ? <span lang="en">{of.detail}</span> : null)}
      {fact(t`Trouble`, of.error ? troubleOf(i18n, asTrouble(of.error)) : null)}
      {fact(
        t`Belongs to`,
        <Link to="/operations/run" search={{ kind: belongs_to.flow, id: belongs_to.flow_id }}>
          {belongsTo(i18n, belongs_to)}
        </Link>,
      )}
      {isOwed(of) ? <Owed of={of} ended={ended} /> : <PaidBack of={of} />}
      {fact(t`Owner`, of.owner ?? t`Nobody yet`)}
      {fact(
        t`Due`,
        ended ? null : i18n.date(of.due_at, { dateStyle: "medium", timeStyle: "short" }),
      )}
      {fact(t`Opened`, <Age since={of.opened_at} />)}
      {fact(t`Last change`, <Age since={of.updated_at} />)}
      {fact(
        t`Run`,
        <Link to="/operations/run" search={{ kind: "case", id }}>
          {id}
        </Link>,
      )}
    </dl>
  );
}

function PaidBack({ of }: { of: CaseView }) {
  const { i18n } = useLingui();
  return (
    <>
      <dt>
        <Trans>To pay back</Trans>
      </dt>
      <dd>{of.amount === null ? <Trans>All of it</Trans> : dollars(i18n, of.amount)}</dd>
      <dt>
        <Trans>Paid back</Trans>
      </dt>
      <dd>{dollars(i18n, of.given_back)}</dd>
      {of.taken_off > 0 ? (
        <>
          <dt>
            <Trans>Not asked for instead</Trans>
          </dt>
          <dd>{dollars(i18n, of.taken_off)}</dd>
        </>
      ) : null}
    </>
  );
}

/** Of what a bank took from us: what the buyer is asked for, until when, and how they tried to pay it. */
function Owed({ of, ended }: { of: CaseView; ended: boolean }) {
  const { t, i18n } = useLingui();
  const { payment, deadline, state } = of;
  const asks = !ended && deadline && state === "owed";
  const fact = (label: string, value: ReactNode) => (
    <>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </>
  );
  return (
    <>
      {fact(t`Taken by the bank`, of.amount === null ? t`All of it` : dollars(i18n, of.amount))}
      {of.owed > 0 ? fact(t`Owed`, dollars(i18n, of.owed)) : null}
      {of.lowered.length > 0
        ? fact(
            t`Less for goods that are never sent`,
            dollars(
              i18n,
              of.lowered.reduce((sum, { amount }) => sum + amount, 0),
            ),
          )
        : null}
      {asks
        ? fact(t`Until`, i18n.date(deadline, { dateStyle: "medium", timeStyle: "short" }))
        : null}
      {payment
        ? fact(
            t`Last try to pay`,
            <>
              {payment.shown}
              {payment.detail ? <small lang="en">{payment.detail}</small> : null}
            </>,
          )
        : null}
      {of.given_back > 0 ? fact(t`Paid back`, dollars(i18n, of.given_back)) : null}
    </>
  );
}

function Done({ of }: { of: CaseView }) {
  const { t, i18n } = useLingui();
  return (
    <Titled
      label={t`What was done`}
      rows={of.done}
      keyOf={({ at, text }) => `${at} ${text}`}
      columns={[
        {
          head: t`When`,
          cell: ({ at }) => momentInFigures(i18n, at),
        },
        { head: t`By`, cell: ({ by }) => by ?? t`The portal` },
        { head: t`What`, names: true, cell: ({ text }) => text },
      ]}
    />
  );
}
