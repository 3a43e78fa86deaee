import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Button, Checkbox, TextInput } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { KeepCsv } from "~/shared/files/keep-csv";
import { useFields } from "~/shared/forms/fields";
import { serialShape } from "~/shared/forms/validation";
import {
  type SubscriptionState,
  subscriptionsExported,
  subscriptionsQuery,
} from "~/shared/plans/queries";
import type { Subscription } from "~/shared/plans/types";
import { SUBSCRIPTION_WORDS, TERM_WORDS } from "~/shared/plans/words";
import { mayBuyPlans } from "~/shared/session/rights";
import { useSession } from "~/shared/session/session";
import { handOn } from "~/shared/ui/hand-on";
import { DataTable } from "~/shared/ui/lists/data-table";
import { EmptyState } from "~/shared/ui/lists/empty-state";
import { Paged } from "~/shared/ui/lists/paged";
import { StatusTabs } from "~/shared/ui/lists/status-tabs";
import { Status } from "~/shared/ui/notes/status";
import classes from "./customers.module.css";
import { useMarked } from "./marked";
import { Renew } from "./renew";
import { RenewTogether } from "./renew-together";

/** As many as one purchase takes. */
const MOST_DEVICES = 100;
const STATES = [
  "active",
  "ending",
  "suspended",
  "ended",
] as const satisfies readonly SubscriptionState[];

/** Of many, as the tabs say it. */
const TAB_WORDS: Record<SubscriptionState, MessageDescriptor> = {
  active: msg({ message: "Active", context: "subscriptions" }),
  ending: msg({ message: "Ends soon", context: "subscriptions" }),
  suspended: msg({ message: "Suspended", context: "subscriptions" }),
  ended: msg({ message: "Ended", context: "subscriptions" }),
};

/** An empty list of them is no tab: few ever have one. */
const isShown = (tab: SubscriptionState, count: number | undefined, present: unknown) =>
  tab !== "suspended" || present === tab || Boolean(count);

type CustomersProps = { startsWith: string; state: SubscriptionState | undefined };

/** The devices of the business with their plans, those that end first at the top, each with what whoever may buy can do. */
export function Customers({ startsWith, state }: CustomersProps) {
  const { t, i18n } = useLingui();
  const buys = mayBuyPlans(useSession());
  const found = useInfiniteQuery(subscriptionsQuery(startsWith, state));
  const counts = found.data?.pages[0]?.counts;
  const rows = found.data?.pages.flatMap(({ results }) => results);
  const { marked, hidden, isFull, isMarked, mark, clear } = useMarked(rows ?? [], MOST_DEVICES);
  const [together, setTogether] = useState(false);

  return (
    <section className={classes.section} aria-labelledby="customers">
      <h2 id="customers">
        <Trans>Customer Subscriptions</Trans>
      </h2>
      <Filter key={startsWith} startsWith={startsWith} state={state} />
      <StatusTabs
        tabs={STATES.filter((tab) => isShown(tab, counts?.[tab], state)).map((tab) => ({
          tab,
          words: i18n._(TAB_WORDS[tab]),
          count: counts ? (counts[tab] ?? 0) : undefined,
        }))}
        present={state}
        everything={<Trans context="subscriptions">All</Trans>}
        link={(tab, props) => (
          <Link
            to="/subscriptions"
            search={{ q: startsWith || undefined, state: tab }}
            resetScroll={false}
            {...props}
          />
        )}
      />
      {marked.length > 0 ? (
        <div className={classes.bar} role="status">
          <span>
            <Plural value={marked.length} one="# device chosen" other="# devices chosen" />
          </span>
          {hidden > 0 ? (
            <small>
              <Plural
                value={hidden}
                one="# of them is not in view"
                other="# of them are not in view"
              />
            </small>
          ) : null}
          {isFull ? (
            <small>
              <Trans>At most {MOST_DEVICES} devices at once</Trans>
            </small>
          ) : null}
          <Button size="md" onClick={() => setTogether(true)}>
            <Trans>Renew to one end date</Trans>
          </Button>
          <Button size="md" variant="subtle" onClick={clear}>
            <Trans>Choose none</Trans>
          </Button>
        </div>
      ) : null}
      {together ? <RenewTogether chosen={marked} onClose={() => setTogether(false)} /> : null}
      <Paged of={found}>
        <DataTable
          label={t`Customer Subscriptions`}
          rows={rows}
          busy={found.isPlaceholderData}
          keyOf={({ id }) => id}
          empty={
            <EmptyState
              action={
                startsWith || state ? (
                  <Link to="/subscriptions">
                    <Trans>Show all devices</Trans>
                  </Link>
                ) : (
                  <Link to="/devices">
                    <Trans>Find a device</Trans>
                  </Link>
                )
              }
            >
              {startsWith || state ? (
                <Trans>No device fits. Try another state or serial number.</Trans>
              ) : (
                <Trans>
                  Devices of your customers appear here once a plan has been bought for them.
                </Trans>
              )}
            </EmptyState>
          }
          columns={[
            {
              head: t`Device`,
              as: "code",
              names: true,
              cell: (one) =>
                buys ? (
                  <Checkbox
                    label={one.device_key}
                    checked={isMarked(one)}
                    disabled={!isMarked(one) && (isFull || one.state === "suspended")}
                    onChange={(event) => mark(one, event.currentTarget.checked)}
                  />
                ) : (
                  one.device_key
                ),
            },
            {
              head: t`Plan`,
              cell: ({ plan_name, term }) => `${plan_name}, ${i18n._(TERM_WORDS[term])}`,
            },
            {
              head: t`State`,
              cell: ({ state }) => (
                <Status tone={SUBSCRIPTION_WORDS[state].tone}>
                  {i18n._(SUBSCRIPTION_WORDS[state].words)}
                </Status>
              ),
            },
            { head: t`Ends`, as: "whole", cell: (one) => <Ends of={one} /> },
            ...(buys
              ? [
                  {
                    head: t`What next`,
                    as: "controls" as const,
                    cell: (one: Subscription) => <Renew subscription={one} />,
                  },
                ]
              : []),
          ]}
        />
      </Paged>
      {rows && rows.length > 0 ? (
        <div className={classes.end}>
          <KeepCsv
            name="subscriptions.csv"
            ask={(language) => subscriptionsExported(startsWith, state, language)}
          />
        </div>
      ) : null}
    </section>
  );
}

function Ends({ of }: { of: Subscription }) {
  const { i18n } = useLingui();
  const day = i18n.date(of.ends_at, { dateStyle: "medium" });
  if (of.state === "ended") return day;
  return (
    <Trans>
      {day}, <Plural value={of.days_left} one="# day left" other="# days left" />
    </Trans>
  );
}

function Filter({ startsWith, state }: CustomersProps) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const form = useFields(
    { q: { rules: [], initial: startsWith, shape: serialShape } },
    { leavable: true },
  );
  const look = ({ q }: typeof form.texts) =>
    navigate({
      to: "/subscriptions",
      search: { q: q || undefined, state },
      resetScroll: false,
    });

  return (
    <form
      ref={handOn}
      className={classes.filter}
      onSubmit={form.submit((texts) => void look(texts))}
      noValidate
    >
      <TextInput
        size="md"
        label={t`Beginning of the serial number`}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
        {...form.field("q")}
      />
      <Button type="submit" size="md" variant="default">
        <Trans>Find</Trans>
      </Button>
    </form>
  );
}
