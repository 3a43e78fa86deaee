import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { answered, client } from "~/shared/api/client";
import { problemOf } from "~/shared/api/errors";
import { keyOf } from "~/shared/api/operation";
import { useSend } from "~/shared/api/send";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import { PageSkeleton } from "~/shared/ui/screens/page-skeleton";
import { Panel } from "~/shared/ui/screens/panel";
import { type Visit, visitQuery } from "./queries";
import classes from "./visits.module.css";
import { STATE_WORDS } from "./words";

type VisitScreenProps = { id: string; onStart: (deviceKey: string, key: string) => Promise<void> };

/** One service visit: the owner says yes or no, the visitor begins, both may end it. */
export function VisitScreen({ id, onStart }: VisitScreenProps) {
  const visit = useQuery(visitQuery(id));
  if (visit.isPending) return <PageSkeleton />;
  return (
    <div className={classes.page}>
      <Heading>
        <Trans>Service visit</Trans>
      </Heading>
      {visit.data ? (
        <Panel>
          <Facts visit={visit.data} />
          <Actions visit={visit.data} onStart={onStart} />
        </Panel>
      ) : (
        <ProblemNote problem={problemOf(visit.error)} onRetry={() => void visit.refetch()} />
      )}
    </div>
  );
}

function Facts({ visit }: { visit: Visit }) {
  const { i18n } = useLingui();
  const moment = (at: string) => i18n.date(at, { dateStyle: "medium", timeStyle: "short" });
  return (
    <dl className={classes.facts}>
      <dt>
        <Trans>Device</Trans>
      </dt>
      <dd>{visit.device_key}</dd>
      <dt>
        <Trans>Who asks</Trans>
      </dt>
      <dd>
        {visit.visitor}, {visit.business}
      </dd>
      <dt>
        <Trans>Why</Trans>
      </dt>
      <dd>{visit.reason}</dd>
      <dt>
        <Trans>Asked</Trans>
      </dt>
      <dd>{moment(visit.asked_at)}</dd>
      <dt>
        <Trans>State</Trans>
      </dt>
      <dd>
        <span role="status">{i18n._(STATE_WORDS[visit.state])}</span>
      </dd>
      {visit.state === "waiting" || visit.state === "permitted" ? (
        <>
          <dt>
            <Trans>Until</Trans>
          </dt>
          <dd>{moment(visit.expires_at)}</dd>
        </>
      ) : null}
      {visit.answered_by ? (
        <>
          <dt>
            <Trans>Answered by</Trans>
          </dt>
          <dd>{visit.answered_by}</dd>
        </>
      ) : null}
    </dl>
  );
}

function Actions({ visit, onStart }: { visit: Visit; onStart: VisitScreenProps["onStart"] }) {
  const sending = useSend();
  const queries = useQueryClient();
  const params = (key: string) => ({
    path: { id: visit.id },
    header: { "Idempotency-Key": key },
  });

  /** Whatever came of it, the page shows where the visit stands now. */
  async function change(what: "yes" | "no" | "end", work: (key: string) => Promise<unknown>) {
    await sending.send(work, what);
    await queries.invalidateQueries({ queryKey: visitQuery(visit.id).queryKey });
    await queries.invalidateQueries({ queryKey: keyOf("get", "/v1/visits") });
  }

  const answer = (said: "yes" | "no") =>
    void change(said, (key) =>
      answered(
        client.POST("/v1/visits/{id}/answer", {
          params: params(key),
          body: { answer: said },
        }),
      ),
    );
  const end = () =>
    void change("end", (key) =>
      answered(client.POST("/v1/visits/{id}/end", { params: params(key) })),
    );
  const isOpen = visit.state === "waiting" || visit.state === "permitted";
  return (
    <div className={classes.actions}>
      <ProblemNote problem={sending.problem} />
      {visit.state === "waiting" && !visit.mine ? (
        <>
          <Note tone="plain">
            <Trans>A yes is for this one visit. The device stays yours, and you can end it.</Trans>
          </Note>
          <Button size="lg" loading={sending.busy} onClick={() => answer("yes")}>
            <Trans>Yes, for this visit</Trans>
          </Button>
          <Button size="lg" variant="default" disabled={sending.busy} onClick={() => answer("no")}>
            <Trans>No</Trans>
          </Button>
        </>
      ) : null}
      {visit.state === "permitted" && visit.mine ? (
        <Button
          size="lg"
          loading={sending.busy}
          onClick={() => void sending.send((key) => onStart(visit.device_key, key), "start")}
        >
          <Trans>Service the device</Trans>
        </Button>
      ) : null}
      {isOpen && (visit.mine || visit.state === "permitted") ? (
        <Button size="lg" variant="default" disabled={sending.busy} onClick={end}>
          {visit.state === "waiting" ? <Trans>Take back</Trans> : <Trans>End the visit</Trans>}
        </Button>
      ) : null}
    </div>
  );
}
