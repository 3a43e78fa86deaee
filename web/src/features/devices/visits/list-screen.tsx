import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { answered, client } from "~/shared/api/client";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { digitsOnly, serialShape } from "~/shared/forms/validation";
import { ScanDigits, ScanSerial } from "~/shared/scan/scan-device";
import { asksForVisit } from "~/shared/session/rights";
import { useSession } from "~/shared/session/session";
import { Age } from "~/shared/time/age";
import { DataTable } from "~/shared/ui/lists/data-table";
import { EmptyState } from "~/shared/ui/lists/empty-state";
import { Paged } from "~/shared/ui/lists/paged";
import { StatusTabs } from "~/shared/ui/lists/status-tabs";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import { Panel } from "~/shared/ui/screens/panel";
import { STATES } from "./address";
import { type Side, type VisitState, visitsQuery } from "./queries";
import classes from "./visits.module.css";
import { STATE_WORDS, TAB_WORDS } from "./words";

/** The device that is asked for, and the state that is looked at on each side. */
type VisitsAddress = { device?: string | undefined } & { [Of in Side]?: VisitState | undefined };

const DIGITS = /^[0-9]{5}$/;

/** Service visits: what the business was asked for, what this person asked for, and asking where they may. */
export function VisitsScreen({ wanted }: { wanted: VisitsAddress }) {
  const asks = asksForVisit(useSession());
  const ours = useVisits("ours", wanted.ours);
  const mine = useVisits("mine", wanted.mine);
  return (
    <div className={classes.page}>
      <Heading>
        <Trans>Service visits</Trans>
      </Heading>
      <Listed of="ours" found={ours} wanted={wanted} />
      {ours.isPending || mine.isPending ? null : (
        <>
          <Listed of="mine" found={mine} wanted={wanted} />
          {asks ? (
            <Panel>
              <Ask device={wanted.device ?? ""} />
            </Panel>
          ) : null}
        </>
      )}
    </div>
  );
}

function useVisits(of: Side, state: VisitState | undefined) {
  return useInfiniteQuery(visitsQuery(of, state));
}

type ListedProps = { of: Side; found: ReturnType<typeof useVisits>; wanted: VisitsAddress };

function Listed({ of, found, wanted }: ListedProps) {
  const { t, i18n } = useLingui();
  const state = wanted[of];
  const counts = found.data?.pages[0]?.counts;
  return (
    <section aria-labelledby={`visits-${of}`} className={classes.section}>
      <h2 id={`visits-${of}`}>
        {of === "ours" ? <Trans>At your devices</Trans> : <Trans>Asked for by you</Trans>}
      </h2>
      <StatusTabs
        label={of === "ours" ? t`States of visits at your devices` : t`States of your own visits`}
        tabs={STATES.map((tab) => ({
          tab,
          words: i18n._(TAB_WORDS[tab]),
          count: counts ? (counts[tab] ?? 0) : undefined,
        }))}
        present={state}
        everything={<Trans context="visits">All</Trans>}
        link={(tab, props) => (
          <Link to="/visits" search={{ ...wanted, [of]: tab }} resetScroll={false} {...props} />
        )}
      />
      <Paged of={found}>
        <DataTable
          label={of === "ours" ? t`At your devices` : t`Asked for by you`}
          rows={found.data?.pages.flatMap(({ results }) => results)}
          busy={found.isPlaceholderData}
          keyOf={({ id }) => id}
          empty={<Nothing of={of} wanted={wanted} />}
          columns={[
            {
              head: t`Device`,
              as: "code",
              names: true,
              cell: ({ id, device_key }) => (
                <Link to="/visits/$id" params={{ id }}>
                  {device_key}
                </Link>
              ),
            },
            { head: t`Who asks`, cell: ({ visitor, business }) => `${visitor}, ${business}` },
            {
              head: t`State`,
              cell: ({ state }) => i18n._(STATE_WORDS[state]),
            },
            { head: t`Asked`, cell: ({ asked_at }) => <Age since={asked_at} /> },
          ]}
        />
      </Paged>
    </section>
  );
}

function Nothing({ of, wanted }: { of: Side; wanted: VisitsAddress }) {
  return wanted[of] ? (
    <EmptyState
      action={
        <Link to="/visits" search={{ ...wanted, [of]: undefined }} resetScroll={false}>
          <Trans>Show all visits</Trans>
        </Link>
      }
    >
      <Trans>No visit is in this state.</Trans>
    </EmptyState>
  ) : (
    <EmptyState
      action={
        <Link to="/devices">
          <Trans>Find a device</Trans>
        </Link>
      }
    >
      <Trans>No visits.</Trans>
    </EmptyState>
  );
}

function Ask({ device }: { device: string }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const sending = useSend();
  const five = (text: string) => (DIGITS.test(text) ? undefined : t`Five digits`);
  const form = useFields({
    device_key: { rules: ["required"], initial: device, shape: serialShape },
    iccid_last_digits: { rules: [five], shape: digitsOnly },
    reason: { rules: ["required"] },
  });

  async function ask(texts: typeof form.texts) {
    const body = { ...texts, reason: texts.reason.trim() };
    const problem = await sending.send(async (key) => {
      const params = { header: { "Idempotency-Key": key } };
      const visit = await answered(client.POST("/v1/visits", { params, body }));
      form.reset();
      await navigate({ to: "/visits/$id", params: { id: visit.id } });
    }, body);
    if (problem) form.refuse(problem);
  }

  return (
    <form className={classes.form} onSubmit={form.submit(ask)} noValidate>
      <h2>
        <Trans>Ask the owner for a visit</Trans>
      </h2>
      <p>
        <Trans>
          For a device of another business that you hold in your hands. Its owner sees your name.
        </Trans>
      </p>
      <ProblemNote problem={sending.problem} besideFields />
      <TextInput
        size="md"
        label={t`Serial number`}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
        {...form.field("device_key")}
      />
      <ScanSerial onSerial={(serial) => form.set("device_key", serial)} />
      <TextInput
        size="md"
        label={t`Last 5 digits of the SIM (ICCID)`}
        inputMode="numeric"
        autoComplete="off"
        maxLength={5}
        {...form.field("iccid_last_digits")}
      />
      <ScanDigits onDigits={(digits) => form.set("iccid_last_digits", digits)} />
      <TextInput size="md" label={t`Why`} maxLength={300} {...form.field("reason")} />
      <Button type="submit" size="md" loading={sending.busy}>
        <Trans>Ask the owner</Trans>
      </Button>
    </form>
  );
}
