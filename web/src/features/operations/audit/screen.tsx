import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { DayFields, dayRules, daysGiven } from "~/shared/forms/days";
import { useFields } from "~/shared/forms/fields";
import { Choice } from "~/shared/ui/fields/choice";
import { handOn } from "~/shared/ui/hand-on";
import { FilterFold } from "~/shared/ui/lists/filter-fold";
import { Paged } from "~/shared/ui/lists/paged";
import { Heading } from "~/shared/ui/screens/heading";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "./audit.module.css";
import { type AuditFilters, auditQuery } from "./queries";
import { AuditTable } from "./table";

type Outcome = NonNullable<AuditFilters["outcome"]> | "";

/** What happened, newest first, narrowed by the filters of the address. */
export function AuditScreen({ filters }: { filters: AuditFilters }) {
  const found = useInfiniteQuery(auditQuery(filters));
  const entries = found.data?.pages.flatMap(({ results }) => results);
  return (
    <div className={classes.page}>
      <Heading>
        <Trans>Audit</Trans>
      </Heading>
      <Panel>
        <Filters key={JSON.stringify(filters)} filters={filters} />
      </Panel>
      <Paged of={found}>
        <AuditTable entries={entries} narrowed={Object.values(filters).some(Boolean)} />
      </Paged>
    </div>
  );
}

function Filters({ filters }: { filters: AuditFilters }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const form = useFields(
    {
      actor: { rules: [], initial: filters.actor },
      partner_code: { rules: [], initial: filters.partner_code },
      action: { rules: [], initial: filters.action },
      object_id: { rules: [], initial: filters.object_id },
      request_id: { rules: [], initial: filters.request_id },
      outcome: { rules: [], initial: filters.outcome },
      ...dayRules(filters.since, filters.until),
    },
    { leavable: true },
  );
  const outcome = form.choice<Outcome>("outcome");
  const { actor: _, ...folded } = filters;

  function search(typed: typeof form.texts) {
    const { actor, partner_code, action, object_id, request_id } = typed;
    const { from, to } = daysGiven(typed);
    void navigate({
      to: "/audit",
      search: {
        ...filters,
        actor: actor.trim() || undefined,
        partner_code: partner_code.trim() || undefined,
        action: action.trim() || undefined,
        object_id: object_id.trim() || undefined,
        request_id: request_id.trim() || undefined,
        outcome: outcome.value || undefined,
        since: from,
        until: to,
      },
    });
  }

  return (
    <form ref={handOn} className={classes.filters} onSubmit={form.submit(search)} noValidate>
      <TextInput size="md" label={t`Actor`} placeholder="user:ID" {...form.field("actor")} />
      <FilterFold set={Object.values(folded).filter(Boolean).length}>
        <TextInput size="md" label={t`Business code`} {...form.field("partner_code")} />
        <TextInput size="md" label={t`Action`} {...form.field("action")} />
        <TextInput size="md" label={t`Object`} {...form.field("object_id")} />
        <TextInput size="md" label={t`Reference`} {...form.field("request_id")} />
        <Choice<Outcome>
          label={t`Outcome`}
          {...outcome}
          options={[
            { value: "", label: t`All` },
            { value: "done", label: t`Done` },
            { value: "accepted", label: t`Taken on` },
            { value: "refused", label: t`Refused` },
          ]}
        />
        <DayFields form={form} />
      </FilterFold>
      <Button type="submit" size="md">
        <Trans>Search</Trans>
      </Button>
    </form>
  );
}
