import { Trans, useLingui } from "@lingui/react/macro";
import { Skeleton } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { problemOf } from "~/shared/api/errors";
import { Age } from "~/shared/time/age";
import { EmptyState } from "~/shared/ui/empty-state";
import { ArrowIcon } from "~/shared/ui/icons";
import { ProblemNote } from "~/shared/ui/note";
import { ShowMore } from "~/shared/ui/paged";
import { Status } from "~/shared/ui/status";
import { type Scope, unfinishedQuery } from "../queries";
import type { ActivationCard } from "../types";
import { STEP_WORDS, TYPE_WORDS } from "../words";
import classes from "./unfinished-list.module.css";

/** Cards of what is half done. An error keeps the cards that are there. */
export function UnfinishedList({ scope }: { scope: Scope }) {
  const { t } = useLingui();
  const query = useInfiniteQuery(unfinishedQuery(scope));
  const cards = query.data?.pages.flatMap((page) => page.results) ?? [];
  return (
    <div className={classes.area}>
      {query.error ? (
        <ProblemNote problem={problemOf(query.error)} onRetry={() => void query.refetch()} />
      ) : null}
      {query.isPending ? (
        <div className={classes.cards} aria-busy="true">
          <p className="quiet" role="status">
            <Trans>Loading</Trans>
          </p>
          {["one", "two", "three"].map((name) => (
            <Skeleton key={name} height={168} radius="lg" />
          ))}
        </div>
      ) : null}
      {query.isSuccess && cards.length === 0 ? <Nothing scope={scope} /> : null}
      {cards.length > 0 ? (
        <ul className={classes.cards} aria-label={t`Unfinished activations`}>
          {cards.map((card) => (
            <li key={card.id}>
              <Card card={card} />
            </li>
          ))}
        </ul>
      ) : null}
      <ShowMore of={query} />
    </div>
  );
}

function Nothing({ scope }: { scope: Scope }) {
  return (
    <EmptyState title={<Trans>Nothing is waiting</Trans>}>
      {scope === "mine" ? (
        <Trans>
          Activations that you leave half-way appear here, on every device you log in with.
        </Trans>
      ) : (
        <Trans>
          Activations that a colleague leaves half-way appear here, and you can go on with them.
        </Trans>
      )}
    </EmptyState>
  );
}

function Card({ card }: { card: ActivationCard }) {
  const { i18n } = useLingui();
  const step = STEP_WORDS[card.step];
  const type = TYPE_WORDS[card.type];
  const going = card.state.includes("/");
  return (
    <Link
      to="/activation/device"
      search={{ id: card.id, step: card.step }}
      className={classes.card}
    >
      <span className={classes.key}>{card.device_key}</span>
      <span className={classes.type}>{i18n._(type.name)}</span>
      <strong className={classes.step}>{step ? i18n._(step) : card.step}</strong>
      <progress
        className={classes.progress}
        value={card.position}
        max={card.total}
        aria-hidden="true"
      />
      <span className={classes.foot}>
        <Trans>
          Step {card.position} of {card.total}
        </Trans>
        {going ? (
          <Status tone="wait">
            <Trans>In progress</Trans>
          </Status>
        ) : null}
      </span>
      <span className={classes.saved}>
        <span>
          <Trans>
            Saved <Age since={card.updated_at} /> by {card.updated_by}
          </Trans>
        </span>
        <ArrowIcon />
      </span>
    </Link>
  );
}
