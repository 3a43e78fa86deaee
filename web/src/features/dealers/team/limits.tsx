import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Skeleton, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { answered, client, type Schemas } from "~/shared/api/client";
import { problemOf } from "~/shared/api/errors";
import { useSend } from "~/shared/api/send";
import { dollars } from "~/shared/catalogue/money";
import { amountIn, amountTyped } from "~/shared/forms/amount";
import { useFields } from "~/shared/forms/fields";
import { isLost, ProblemNote } from "~/shared/ui/notes/note";
import classes from "../dealers.module.css";
import { type Installer, limitsQuery } from "../queries";

type Limits = Schemas["LimitsOut"];

const NAMES = ["per_order", "per_month", "approval_above"] as const;

/** In dollars. */
const BOUNDS = { least: 0, most: 9_999_999 };

/** What a purchaser may order by themselves. An empty field is no limit. */
export function PurchaseLimits({ one }: { one: Installer }) {
  const found = useQuery(limitsQuery(one.id));
  const failure = found.isError ? (
    <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
  ) : null;
  if (isLost(found)) return failure;
  if (!found.data) return <Skeleton height={120} radius="lg" />;
  return (
    <>
      {failure}
      <Fields one={one} limits={found.data} />
    </>
  );
}

function Fields({ one, limits }: { one: Installer; limits: Limits }) {
  const { t, i18n } = useLingui();
  const cache = useQueryClient();
  const sending = useSend();
  const isAmount = (text: string) =>
    text === "" || amountIn(text, BOUNDS) !== undefined
      ? undefined
      : t`An amount like 1500 or 99.50`;
  const amount = (initial: number | null) => ({
    rules: [isAmount],
    initial: written(initial),
    shape: amountTyped,
  });
  const form = useFields({
    per_order: amount(limits.per_order),
    per_month: amount(limits.per_month),
    approval_above: amount(limits.approval_above),
  });
  const name = `${one.first_name} ${one.last_name}`;

  async function save(texts: typeof form.texts) {
    const body = {
      per_order: amountIn(texts.per_order, BOUNDS) ?? null,
      per_month: amountIn(texts.per_month, BOUNDS) ?? null,
      approval_above: amountIn(texts.approval_above, BOUNDS) ?? null,
    };
    const problem = await sending.send(async (key) => {
      const saved = await answered(
        client.PATCH("/v1/installer/{id}/limits", {
          params: { path: { id: one.id } },
          headers: { "Idempotency-Key": key },
          body,
        }),
      );
      cache.setQueryData(limitsQuery(one.id).queryKey, saved);
      for (const of of NAMES) form.set(of, written(saved[of]));
    }, body);
    if (problem) form.refuse(problem);
  }

  const field = (of: (typeof NAMES)[number], label: string) => (
    <TextInput
      size="md"
      label={label}
      inputMode="decimal"
      autoComplete="off"
      maxLength={10}
      leftSection="$"
      placeholder={t`No limit`}
      {...form.field(of)}
    />
  );

  return (
    <form
      className={classes.panel}
      onSubmit={form.submit(save)}
      noValidate
      aria-label={t`Limits: ${name}`}
    >
      <p>
        <Trans>
          With taxes and freight; plans count, too. {dollars(i18n, limits.ordered)} ordered this
          month (UTC), with what waits for an approval.
        </Trans>
      </p>
      <div className={classes.filters}>
        {field("per_order", t`Most per order`)}
        {field("per_month", t`Most per month`)}
        {field("approval_above", t`Needs an approval above`)}
      </div>
      <ProblemNote problem={sending.problem} besideFields />
      <div className={classes.actions}>
        <Button type="submit" size="md" loading={sending.busy} aria-label={t`Save limits: ${name}`}>
          <Trans>Save limits</Trans>
        </Button>
        <span role="status">{sending.done > 0 ? <Trans>Saved.</Trans> : null}</span>
      </div>
    </form>
  );
}

function written(amount: number | null): string {
  return amount === null ? "" : String(amount);
}
