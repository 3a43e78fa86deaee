import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { Choice } from "~/shared/ui/choice";
import { Heading } from "~/shared/ui/heading";
import { Paged } from "~/shared/ui/paged";
import { Panel } from "~/shared/ui/panel";
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
        <AuditTable entries={entries} />
      </Paged>
    </div>
  );
}

function Filters({ filters }: { filters: AuditFilters }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [wanted, setWanted] = useState(filters);
  const text = (name: "actor" | "partner_code" | "action" | "request_id") => ({
    size: "md" as const,
    value: wanted[name] ?? "",
    onChange: (event: { currentTarget: { value: string } }) =>
      setWanted({ ...wanted, [name]: event.currentTarget.value.trim() || undefined }),
  });

  function search(event: FormEvent) {
    event.preventDefault();
    void navigate({ to: "/audit", search: wanted });
  }

  return (
    <form className={classes.filters} onSubmit={search}>
      <TextInput label={t`Actor`} placeholder="user:ID" {...text("actor")} />
      <TextInput label={t`Business code`} {...text("partner_code")} />
      <TextInput label={t`Action`} {...text("action")} />
      <TextInput label={t`Reference`} {...text("request_id")} />
      <Choice<Outcome>
        label={t`Outcome`}
        value={wanted.outcome ?? ""}
        onChange={(outcome) => setWanted({ ...wanted, outcome: outcome || undefined })}
        options={[
          { value: "", label: t`All` },
          { value: "done", label: t`Done` },
          { value: "refused", label: t`Refused` },
        ]}
      />
      <Button type="submit" size="md">
        <Trans>Search</Trans>
      </Button>
    </form>
  );
}
