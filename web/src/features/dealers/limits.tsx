import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Skeleton, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { answered, client, type Schemas } from "~/shared/api/client";
import { problemOf } from "~/shared/api/errors";
import { useSend } from "~/shared/api/send";
import { dollars } from "~/shared/catalogue/money";
import { ProblemNote } from "~/shared/ui/note";
import classes from "./dealers.module.css";
import { type Installer, limitsQuery } from "./queries";

type Limits = Schemas["LimitsOut"];
type Name = "per_order" | "per_month" | "approval_above";

const AMOUNT = /^\d{1,7}(\.\d{1,2})?$/;

/** What a purchaser may order by themselves. An empty field is no limit. */
export function PurchaseLimits({ one }: { one: Installer }) {
  const found = useQuery(limitsQuery(one.id));
  if (found.error)
    return <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />;
  if (!found.data) return <Skeleton height={120} radius="lg" />;
  return <Fields one={one} limits={found.data} />;
}

function Fields({ one, limits }: { one: Installer; limits: Limits }) {
  const { t, i18n } = useLingui();
  const cache = useQueryClient();
  const sending = useSend();
  const [texts, setTexts] = useState<Record<Name, string>>({
    per_order: written(limits.per_order),
    per_month: written(limits.per_month),
    approval_above: written(limits.approval_above),
  });
  const [asked, setAsked] = useState(false);
  const name = `${one.first_name} ${one.last_name}`;
  const faulty = (text: string) => text !== "" && !AMOUNT.test(text);

  async function save(event: FormEvent) {
    event.preventDefault();
    setAsked(true);
    if (Object.values(texts).some(faulty)) return;
    const body = {
      per_order: amountOf(texts.per_order),
      per_month: amountOf(texts.per_month),
      approval_above: amountOf(texts.approval_above),
    };
    await sending.send(async (key) => {
      const saved = await answered(
        client.PATCH("/v1/installer/{id}/limits", {
          params: { path: { id: one.id } },
          headers: { "Idempotency-Key": key },
          body,
        }),
      );
      cache.setQueryData(limitsQuery(one.id).queryKey, saved);
    }, body);
  }

  const field = (of: Name, label: string) => (
    <TextInput
      size="md"
      label={label}
      inputMode="decimal"
      autoComplete="off"
      maxLength={10}
      leftSection="$"
      placeholder={t`No limit`}
      value={texts[of]}
      onChange={({ currentTarget: { value } }) =>
        setTexts({ ...texts, [of]: value.replaceAll(/[^\d.]/g, "") })
      }
      error={asked && faulty(texts[of]) ? t`An amount like 1500 or 99.50` : undefined}
    />
  );

  return (
    <form className={classes.panel} onSubmit={save} noValidate aria-label={t`Limits: ${name}`}>
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
      <ProblemNote problem={sending.problem} />
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

function amountOf(text: string): number | null {
  return text === "" ? null : Number(text);
}
