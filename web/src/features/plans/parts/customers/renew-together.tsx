import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { problemOf } from "~/shared/api/errors";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { quotePlans } from "~/shared/plans/calls";
import { TermSwitch } from "~/shared/plans/choice/term-switch";
import { monthsOf, type TermName, USUAL_TERM } from "~/shared/plans/choice/terms";
import { plansQuery } from "~/shared/plans/queries";
import type { Subscription } from "~/shared/plans/types";
import { Dialog } from "~/shared/ui/dialogs/dialog";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { endsInCommon, renewals } from "../../one-end";
import classes from "./customers.module.css";

type RenewTogetherProps = { chosen: readonly Subscription[]; onClose: () => void };

/** The plans of several devices again, all to end on one day: each costs what its days cost. */
export function RenewTogether({ chosen, onClose }: RenewTogetherProps) {
  const { t, i18n } = useLingui();
  const navigate = useNavigate();
  const { busy, problem, send } = useSend();
  const plans = useQuery(plansQuery);
  const offers = plans.data?.results ?? [];
  const [now] = useState(() => Date.now());
  const commonFor = (term: TermName) => endsInCommon(chosen, monthsOf(term), now);
  const form = useFields(
    {
      term: { rules: [], initial: USUAL_TERM },
      day: { rules: [], initial: commonFor(USUAL_TERM)?.last ?? "" },
    },
    { leavable: true },
  );
  const { value: term } = form.choice<TermName>("term");
  const days = commonFor(term);
  const months = monthsOf(term);
  const day = form.texts.day;
  const fits = days !== undefined && day >= days.first && day <= days.last;
  const lines = renewals(chosen, offers, months, day);
  const left = chosen.length - lines.length;
  const inWords = (one: string) => i18n.date(`${one}T12:00:00`, { dateStyle: "medium" });

  const submit = form.submit(() =>
    send(async () => {
      const uuid = await quotePlans(lines);
      await navigate({ to: "/cart/checkout/subscriptions", search: { uuid } });
    }),
  );

  return (
    <Dialog title={t`Renew to one end date`} size="lg" busy={busy} onClose={onClose}>
      <form className={classes.together} onSubmit={submit} noValidate>
        <p>
          <Plural
            value={chosen.length}
            one="# device keeps its plan. It pays for its own days alone."
            other="# devices keep their plans. Each pays for its own days alone."
          />
        </p>
        <TermSwitch
          plans={offers}
          value={term}
          disabled={busy}
          onChange={(next) => {
            form.set("term", next);
            form.set("day", commonFor(next)?.last ?? "");
          }}
        />
        {days ? (
          <TextInput
            size="md"
            type="date"
            label={t`All end on`}
            description={t`From ${inWords(days.first)} to ${inWords(days.last)}`}
            min={days.first}
            max={days.last}
            {...form.field("day")}
          />
        ) : (
          <Note tone="wait">
            <Trans>These plans end too far apart for this term. Please choose a longer one.</Trans>
          </Note>
        )}
        {plans.isError ? (
          <ProblemNote problem={problemOf(plans.error)} onRetry={() => void plans.refetch()} />
        ) : null}
        {plans.data && left > 0 ? (
          <Note tone="wait">
            <Plural
              value={left}
              one="# device has a plan that is not sold for this term. It is left out."
              other="# devices have plans that are not sold for this term. They are left out."
            />
          </Note>
        ) : null}
        <ProblemNote problem={problem} />
        <div className={classes.end}>
          <Button size="md" variant="default" disabled={busy} onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button size="md" type="submit" loading={busy} disabled={!fits || lines.length === 0}>
            <Trans>See the price</Trans>
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
