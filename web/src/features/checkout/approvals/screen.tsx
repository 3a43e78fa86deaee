import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, Navigate } from "@tanstack/react-router";
import { problemOf } from "~/shared/api/errors";
import { OlderPage } from "~/shared/flow/older-page";
import { useFields } from "~/shared/forms/fields";
import { useSession } from "~/shared/session/session";
import { EmptyState } from "~/shared/ui/empty-state";
import { Heading } from "~/shared/ui/heading";
import { Note, ProblemNote } from "~/shared/ui/note";
import { PageSkeleton } from "~/shared/ui/page-skeleton";
import { Panel } from "~/shared/ui/panel";
import { Status } from "~/shared/ui/status";
import checkout from "../checkout.module.css";
import { Lines } from "../parts/lines";
import { Sums } from "../parts/sums";
import { placementQuery } from "../queries";
import type { PlacementAnswer } from "../types";
import { type PlacementRun, usePlacement } from "../use-placement";
import { stateWords } from "../words";
import classes from "./approvals.module.css";
import { WaitingOrders } from "./waiting-orders";

/** What waits for an owner of the business. */
export function ApprovalsScreen() {
  return (
    <div className={classes.page}>
      <Heading>
        <Trans>Approvals</Trans>
      </Heading>
      <WaitingOrders />
    </div>
  );
}

/** One order as it was frozen, and the owner's answer. */
export function ApprovalScreen({ token }: { token: string }) {
  const now = useSession();
  const found = useQuery(placementQuery(token));
  if (now.state !== "anonymous" && !now.user.is_owner) return <Navigate to="/" />;
  if (found.isPending) return <PageSkeleton />;
  return (
    <div className={classes.page}>
      {found.data ? (
        <Order first={found.data} />
      ) : (
        <>
          <Heading>
            <Trans>Approval</Trans>
          </Heading>
          {found.error ? (
            <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
          ) : (
            <EmptyState>
              <Trans>This order waits for nobody.</Trans>
            </EmptyState>
          )}
        </>
      )}
      <Link to="/approvals/{-$id}" params={{ id: undefined }} className={classes.way}>
        <Trans>All approvals</Trans>
      </Link>
    </div>
  );
}

function Order({ first }: { first: PlacementAnswer }) {
  const { t } = useLingui();
  const run = usePlacement(first);
  const { view } = run.answer;
  return (
    <>
      <Heading focusKey={run.state}>
        <Trans>Order of {view.placed_by}</Trans>
      </Heading>
      <OlderPage drift={run.drift} />
      <div className={checkout.columns} data-rev={run.answer.rev}>
        <Panel className={checkout.part} aria-label={t`Approval`}>
          <Standing run={run} />
          <Facts run={run} />
          {run.state === "waiting_for_approval" ? <Answer run={run} /> : null}
          <ProblemNote
            problem={run.problem}
            onRetry={run.problem?.passing ? run.again : run.dismiss}
          />
        </Panel>
        <Panel className={checkout.summary} aria-label={t`The order`}>
          <h2>
            <Trans>The order</Trans>
          </h2>
          <Lines lines={view.lines} />
          <Sums of={view} method={view.shipping_method} />
        </Panel>
      </div>
    </>
  );
}

function Standing({ run }: { run: PlacementRun }) {
  const { i18n } = useLingui();
  const { view } = run.answer;
  const waits = run.state === "waiting_for_approval" || run.state === "requoted";
  const words = stateWords(run.state);
  return (
    <>
      <p role="status">
        <Status tone={waits || !run.answer.ended ? "wait" : "ok"}>
          {words ? i18n._(words) : run.state}
        </Status>
      </p>
      {run.state === "requoted" ? (
        <Note tone="wait">
          <Trans>
            Prices or stock have changed since. {view.placed_by} is asked to agree first; then you
            are asked again.
          </Trans>
        </Note>
      ) : null}
      {!waits && view.approval?.answered_by ? (
        <p>
          <Trans>Answered by {view.approval.answered_by}</Trans>
          {view.approval.note ? <>: “{view.approval.note}”</> : null}
        </p>
      ) : null}
    </>
  );
}

function Facts({ run }: { run: PlacementRun }) {
  const { i18n } = useLingui();
  const { view } = run.answer;
  const { approval, shipping_address: to } = view;
  return (
    <dl className={classes.facts}>
      <dt>
        <Trans>Reason</Trans>
      </dt>
      <dd>{approval?.reason || "—"}</dd>
      {approval && run.state === "waiting_for_approval" ? (
        <>
          <dt>
            <Trans>Waits until</Trans>
          </dt>
          <dd>{i18n.date(approval.until, { dateStyle: "medium" })}</dd>
        </>
      ) : null}
      <dt>
        <Trans>Payment</Trans>
      </dt>
      <dd>{view.payment.shown}</dd>
      {view.po_number ? (
        <>
          <dt>
            <Trans>PO number</Trans>
          </dt>
          <dd>{view.po_number}</dd>
        </>
      ) : null}
      <dt>
        <Trans>Ship to</Trans>
      </dt>
      <dd>
        {to.name}, {to.street}, {to.city} {to.country_area} {to.postal_code}
      </dd>
    </dl>
  );
}

function Answer({ run }: { run: PlacementRun }) {
  const { t } = useLingui();
  const form = useFields({ note: { rules: [] } });

  function answer({ note }: typeof form.texts, pressed: string) {
    const word = note.trim();
    if (pressed !== "REJECT") run.ask({ type: "APPROVE", note: word });
    else if (word) run.ask({ type: "REJECT", note: word });
    else form.fault("note", t`Please say why.`);
  }

  return (
    <form className={classes.form} onSubmit={form.submit(answer)} noValidate>
      <p>
        <Trans>
          With your approval the products are reserved, and the order is paid and placed at once.
        </Trans>
      </p>
      <Textarea
        size="md"
        rows={2}
        maxLength={500}
        label={t`A word with it (needed to reject)`}
        {...form.field("note")}
      />
      <div className={classes.answers}>
        <Button
          type="submit"
          size="lg"
          loading={run.sent === "APPROVE"}
          disabled={!run.can("APPROVE")}
        >
          <Trans>Approve</Trans>
        </Button>
        <Button
          type="submit"
          value="REJECT"
          size="lg"
          variant="default"
          loading={run.sent === "REJECT"}
          disabled={!run.can("REJECT")}
        >
          <Trans>Reject</Trans>
        </Button>
      </div>
    </form>
  );
}
