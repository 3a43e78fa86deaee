import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "~/shared/api/client";
import { dollars } from "~/shared/catalogue/money";
import { DataTable } from "~/shared/ui/lists/data-table";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "../dealers.module.css";
import { type Stretch, sumsQuery } from "../queries";

type Amount = Schemas["RewardAmountOut"];

/** What one device earns now, by family and plan; a plan without an amount of its own earns that of the others. */
export function Amounts({ dealerId, stretch }: { dealerId: string; stretch: Stretch }) {
  const { t, i18n } = useLingui();
  const found = useQuery(sumsQuery(dealerId, stretch));
  // What went wrong stands above, where the sums would be.
  if (found.error || found.data?.amounts.length === 0) return null;
  const amounts = found.data?.amounts;
  const families = new Map<string, Amount[]>();
  for (const one of amounts ?? [])
    families.set(one.family, [...(families.get(one.family) ?? []), one]);
  const named = new Map(
    (amounts ?? []).flatMap(({ plan, plan_name }) =>
      plan === "none" || plan === "any" ? [] : [[plan, plan_name ?? plan]],
    ),
  );
  const said = (rows: readonly Amount[], plan: string) => {
    const amount = amountOf(rows, plan);
    return amount === undefined ? "–" : dollars(i18n, amount);
  };
  return (
    <Panel className={classes.panel} aria-labelledby="amounts">
      <h2 id="amounts">
        <Trans>What a device earns</Trans>
      </h2>
      <p className={classes.soft}>
        <Trans>
          In US dollars, for an activation that is completed today. What is not here earns nothing.
        </Trans>
      </p>
      <DataTable
        label={t`What a device earns`}
        rows={amounts ? [...families.values()] : undefined}
        keyOf={([first]) => first?.family ?? ""}
        columns={[
          {
            head: t`Products`,
            names: true,
            cell: ([first]) => first?.products.map((name) => name.toUpperCase()).join(", "),
          },
          { head: t`Without a plan`, as: "figure", cell: (rows) => said(rows, "none") },
          ...[...named].map(([plan, head]) => ({
            head,
            as: "figure" as const,
            cell: (rows: readonly Amount[]) => said(rows, plan),
          })),
          { head: t`Any other plan`, as: "figure", cell: (rows) => said(rows, "any") },
        ]}
      />
    </Panel>
  );
}

function amountOf(rows: readonly Amount[], plan: string): number | undefined {
  const of = (name: string) => rows.find((row) => row.plan === name)?.amount;
  return of(plan) ?? (plan === "none" ? undefined : of("any"));
}
