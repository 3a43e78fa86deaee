import { Trans, useLingui } from "@lingui/react/macro";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { belongsTo } from "~/shared/cases/words";
import { dollars } from "~/shared/catalogue/money";
import { Age } from "~/shared/time/age";
import { Choice } from "~/shared/ui/fields/choice";
import { DataTable } from "~/shared/ui/lists/data-table";
import { EmptyState } from "~/shared/ui/lists/empty-state";
import { Paged } from "~/shared/ui/lists/paged";
import { Status } from "~/shared/ui/notes/status";
import { Heading } from "~/shared/ui/screens/heading";
import classes from "../operations.module.css";
import { casesQuery } from "./queries";
import { causeOf, isOwed, toneOfCase, wordsOf } from "./words";

/** Money that something happened to after its run had ended: what is being done about it, the latest first. */
export function CasesScreen({ ended }: { ended: boolean }) {
  const { t, i18n } = useLingui();
  const navigate = useNavigate();
  const found = useInfiniteQuery(casesQuery({ ended }));
  return (
    <div className={classes.page}>
      <Heading>
        <Trans>Cases</Trans>
      </Heading>
      <Choice<"open" | "ended">
        label={t`Show`}
        value={ended ? "ended" : "open"}
        onChange={(shown) =>
          void navigate({
            to: "/operations/cases",
            search: { shown: shown === "ended" ? shown : undefined },
          })
        }
        options={[
          { value: "open", label: t`Open` },
          { value: "ended", label: t`Ended` },
        ]}
      />
      <Paged of={found}>
        <DataTable
          label={t`List of cases`}
          rows={found.data?.pages.flatMap(({ results }) => results)}
          keyOf={({ id }) => id}
          empty={
            <EmptyState
              action={
                ended ? (
                  <Link to="/operations/cases">
                    <Trans>Open cases</Trans>
                  </Link>
                ) : (
                  <Link to="/operations/cases" search={{ shown: "ended" }}>
                    <Trans>Ended cases</Trans>
                  </Link>
                )
              }
            >
              <Trans>No cases</Trans>
            </EmptyState>
          }
          columns={[
            {
              head: t`Belongs to`,
              names: true,
              cell: ({ id, belongs_to, cause }) => (
                <>
                  <Link to="/operations/case" search={{ id }}>
                    {belongsTo(i18n, belongs_to)}
                  </Link>
                  <small>{i18n._(causeOf({ cause }))}</small>
                </>
              ),
            },
            {
              head: t`State`,
              cell: (one) => <Status tone={toneOfCase(one)}>{i18n._(wordsOf(one))}</Status>,
            },
            { head: t`Owner`, cell: ({ owner }) => owner ?? "–" },
            {
              head: t`Due`,
              cell: ({ due_at }) => i18n.date(due_at, { dateStyle: "medium" }),
            },
            {
              head: t`To pay back`,
              as: "figure",
              cell: (one) => {
                if (isOwed(one)) return "–";
                return one.amount === null ? t`All of it` : dollars(i18n, one.amount);
              },
            },
            {
              head: t`Paid back`,
              as: "figure",
              cell: (one) =>
                isOwed(one) && one.given_back === 0 ? "–" : dollars(i18n, one.given_back),
            },
            {
              head: t`Owed`,
              as: "figure",
              cell: ({ owed }) => (owed > 0 ? dollars(i18n, owed) : "–"),
            },
            { head: t`Opened`, cell: ({ opened_at }) => <Age since={opened_at} /> },
          ]}
        />
      </Paged>
    </div>
  );
}
