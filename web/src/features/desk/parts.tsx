import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { belongsTo, CAUSE_WORDS } from "~/shared/cases/words";
import { dollars } from "~/shared/catalogue/money";
import { AT_WORK, keyOf, livingGroups } from "~/shared/navigation/links";
import { STATUS_WORDS, toneOf } from "~/shared/orders/words";
import { useRenewal } from "~/shared/plans/renewal";
import { keepsMethods, mayBuyPlans } from "~/shared/session/rights";
import { useSession } from "~/shared/session/session";
import { useSite } from "~/shared/session/site";
import { NavAnchor } from "~/shared/ui/buttons/nav-anchor";
import { EmptyPart } from "~/shared/ui/lists/empty-state";
import { Status } from "~/shared/ui/notes/status";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "./desk.module.css";
import type { StartPage } from "./queries";

type Of<Part extends keyof StartPage> = NonNullable<StartPage[Part]>;

type BoxProps = { title: ReactNode; id: string; way?: ReactNode; children: ReactNode };

/** One part of the start page: its name, a way to all of it, and its rows. */
function Box({ title, id, way, children }: BoxProps) {
  return (
    <Panel className={classes.box} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id}>{title}</h2>
        {way}
      </div>
      {children}
    </Panel>
  );
}

/** The pages that are for the person. */
export function OpenPages() {
  const groups = livingGroups(AT_WORK, useSite(), useSession());
  return (
    <Box id="open-pages" title={<Trans>Open to you</Trans>}>
      <ul className={classes.rows}>
        {groups.flatMap(({ links }) =>
          links.map((link) => (
            <li key={keyOf(link)}>
              <NavAnchor link={link} />
            </li>
          )),
        )}
      </ul>
    </Box>
  );
}

export function Orders({ orders }: { orders: Of<"orders"> }) {
  const { i18n } = useLingui();
  return (
    <Box
      id="orders-under-way"
      title={<Trans>Orders under way</Trans>}
      way={
        <Link to="/my-orders">
          <Trans>All orders</Trans>
        </Link>
      }
    >
      {orders.count === 0 ? (
        <EmptyPart
          none={<Trans>No order is under way.</Trans>}
          action={
            <Link to="/search">
              <Trans>Find products</Trans>
            </Link>
          }
        />
      ) : null}
      <ul className={classes.rows}>
        {orders.results.map(({ id, number, poNumber, status, total }) => (
          <li key={id}>
            <span>
              <Link to="/order/{-$id}" params={{ id }}>
                {number}
              </Link>
              {poNumber ? <small>{poNumber}</small> : null}
            </span>
            <Status tone={toneOf(status)}>{i18n._(STATUS_WORDS[status])}</Status>
            <span className={classes.figure}>{dollars(i18n, total)}</span>
          </li>
        ))}
      </ul>
      {orders.count > orders.results.length ? (
        <p className={classes.soft}>
          <Plural
            value={orders.count - orders.results.length}
            one="# more is under way"
            other="# more are under way"
          />
        </p>
      ) : null}
    </Box>
  );
}

/** How much of the limit is used, as a bar with its three figures. */
export function Credit({ credit }: { credit: StartPage["credit"] }) {
  const { i18n } = useLingui();
  if (!credit)
    return (
      <Box id="credit" title={<Trans>Credit</Trans>}>
        <p className={classes.soft}>
          <Trans>Not known yet: our order system has not told it.</Trans>
        </p>
      </Box>
    );
  const limit = Number(credit.limit);
  const used = Math.max(Number(credit.used), 0);
  return (
    <Box id="credit" title={<Trans>Credit</Trans>}>
      <meter
        className={classes.meter}
        min={0}
        max={Math.max(limit, 1)}
        value={Math.min(used, limit)}
        high={limit * 0.9}
        aria-labelledby="credit"
      />
      <dl className={classes.figures}>
        <div>
          <dt>
            <Trans>Used</Trans>
          </dt>
          <dd>{dollars(i18n, credit.used)}</dd>
        </div>
        <div>
          <dt>
            <Trans>Left</Trans>
          </dt>
          <dd>{dollars(i18n, credit.left)}</dd>
        </div>
        <div>
          <dt>
            <Trans>Limit</Trans>
          </dt>
          <dd>{dollars(i18n, credit.limit)}</dd>
        </div>
      </dl>
    </Box>
  );
}

export function Plans({ plans }: { plans: Of<"plans"> }) {
  const { i18n } = useLingui();
  const may = mayBuyPlans(useSession());
  if (plans.results.length === 0) return null;
  return (
    <Box
      id="ending-plans"
      title={<Trans>Plans that end within 30 days</Trans>}
      way={
        plans.more ? (
          <Link to="/subscriptions" search={{ state: "ending" }}>
            <Trans>All that end soon</Trans>
          </Link>
        ) : null
      }
    >
      <ul className={classes.rows}>
        {plans.results.map(({ device_key: key, plan_id: id, plan_name: plan, ends_at: ends }) => (
          <li key={key}>
            <span>
              <code>{key}</code>
              <small>
                {plan} · {i18n.date(ends, { dateStyle: "medium" })}
              </small>
            </span>
            {may ? <RenewPlan of={key} planId={id} /> : null}
          </li>
        ))}
      </ul>
    </Box>
  );
}

function RenewPlan({ of: key, planId }: { of: string; planId: string }) {
  const { t } = useLingui();
  const { busy, renew } = useRenewal();
  return (
    <Button
      variant="default"
      className={classes.last}
      loading={busy}
      aria-label={t`Renew ${key}`}
      onClick={() => void renew(key, planId)}
    >
      <Trans>Renew</Trans>
    </Button>
  );
}

export function Cases({ cases }: { cases: Of<"cases"> }) {
  const { i18n } = useLingui();
  if (cases.length === 0) return null;
  return (
    <Box id="open-cases" title={<Trans>Open cases</Trans>}>
      <ul className={classes.rows}>
        {cases.map((one) => (
          <li key={one.id}>
            <span>
              <About one={one} />
              <small>{i18n._(CAUSE_WORDS[one.cause])}</small>
            </span>
            {Number(one.owed) > 0 ? (
              <span className={classes.figure}>{dollars(i18n, one.owed)}</span>
            ) : null}
          </li>
        ))}
      </ul>
    </Box>
  );
}

/** What a case stands on, with the way there for whom its page is. */
function About({ one }: { one: Of<"cases">[number] }) {
  const { i18n } = useLingui();
  const pays = keepsMethods(useSession());
  const name = belongsTo(i18n, one);
  if (one.kind === "order")
    return (
      <Link to="/order/{-$id}" params={{ id: one.belongs_to }}>
        {name}
      </Link>
    );
  if (!pays) return name;
  if (one.kind === "purchase")
    return (
      <Link to="/cart/checkout/subscriptions" search={{ uuid: one.belongs_to }}>
        {name}
      </Link>
    );
  if (one.kind === "invoice_payment")
    return (
      <Link to="/invoice-payment/complete" search={{ id: one.belongs_to }}>
        {name}
      </Link>
    );
  return name;
}

type BusinessesProps = {
  recent: Of<"recent_businesses">;
  present: string | undefined;
  busy: boolean;
  onChoose: (code: string) => void;
  onSelect: () => void;
};

/** The businesses that a rep worked for of late; a press works for it again. */
export function Businesses({ recent, present, busy, onChoose, onSelect }: BusinessesProps) {
  const { i18n, t } = useLingui();
  return (
    <Box
      id="recent-businesses"
      title={<Trans>Recent businesses</Trans>}
      way={
        recent.length > 0 ? (
          <Button variant="subtle" onClick={onSelect}>
            <Trans>All businesses</Trans>
          </Button>
        ) : null
      }
    >
      {recent.length === 0 ? (
        <EmptyPart
          none={<Trans>Businesses that you work for appear here.</Trans>}
          action={
            <Button variant="default" size="md" onClick={onSelect}>
              <Trans>Select a business</Trans>
            </Button>
          }
        />
      ) : null}
      <ul className={classes.rows}>
        {recent.map((one) => (
          <li key={one.code}>
            <span>
              <strong>{one.company_name}</strong>
              <small>
                {[
                  one.code,
                  one.town,
                  one.balance == null ? null : t`owes ${dollars(i18n, one.balance)}`,
                  one.last_order_at
                    ? t`last order ${i18n.date(one.last_order_at, { dateStyle: "medium" })}`
                    : t`no order yet`,
                ]
                  .filter(Boolean)
                  .join(" · ")}
              </small>
            </span>
            <Work
              one={one}
              chosen={one.code === present}
              busy={busy}
              onChoose={() => onChoose(one.code)}
            />
          </li>
        ))}
      </ul>
    </Box>
  );
}

type WorkProps = {
  one: Of<"recent_businesses">[number];
  chosen: boolean;
  busy: boolean;
  onChoose: () => void;
};

/** Stays one button, off for the business that is chosen, so that whoever pressed it keeps the focus. */
function Work({ one, chosen, busy, onChoose }: WorkProps) {
  const { t } = useLingui();
  return (
    <Button
      variant="default"
      className={classes.last}
      disabled={busy}
      data-disabled={chosen || undefined}
      aria-disabled={chosen || undefined}
      title={busy ? t`Please wait until the present action is finished.` : undefined}
      aria-label={chosen ? undefined : t`Work for ${one.company_name}`}
      onClick={chosen ? undefined : onChoose}
    >
      {chosen ? <Trans>Selected</Trans> : <Trans>Work for</Trans>}
    </Button>
  );
}

const LISTS = ["attention", "stuck", "retrying"] as const;

/** The operators' figures; each leads to its list. */
export function Operations({ figures }: { figures: Of<"operations"> }) {
  const { t, i18n } = useLingui();
  const words = {
    attention: t`Needs attention`,
    stuck: t`Stuck`,
    retrying: t`Trying again and again`,
  };
  return (
    <Box
      id="operators-figures"
      title={<Trans>Operations</Trans>}
      way={
        <Link to="/operations">
          <Trans>Everything at a glance</Trans>
        </Link>
      }
    >
      <ul className={classes.rows}>
        {LISTS.map((shown) => (
          <li key={shown}>
            <Link to="/operations" search={{ shown }}>
              {words[shown]}
            </Link>
            <span className={classes.figure}>{i18n.number(figures[shown])}</span>
          </li>
        ))}
        <li>
          <Link to="/operations/cases">
            <Trans>Open cases</Trans>
          </Link>
          <span className={classes.figure}>{i18n.number(figures.open_cases)}</span>
        </li>
      </ul>
      {figures.unwell.length > 0 ? (
        <Status tone="fail">
          <Trans>Not answering: {figures.unwell.join(", ")}</Trans>
        </Status>
      ) : (
        <Status tone="ok">
          <Trans>All third parties answer</Trans>
        </Status>
      )}
    </Box>
  );
}
