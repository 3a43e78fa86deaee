import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useRef } from "react";
import { problemOf } from "~/shared/api/errors";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { useSite } from "~/shared/session/site";
import { CopyLink } from "~/shared/ui/buttons/copy-link";
import { DataTable } from "~/shared/ui/lists/data-table";
import { EmptyState } from "~/shared/ui/lists/empty-state";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import classes from "./links.module.css";
import { makePayLink, type PayLink, payLinksQuery, revokePayLink } from "./queries";
import { LINK_WORDS } from "./words";

type PayLinksProps = { invoice: string; isPaid: boolean };

/** The links by which somebody without an account pays this invoice. Whoever may not pay sees none. Once it is paid, and where
 * cards are switched off, as a link is paid by card alone, none is made; those that are out are shown, and can be revoked. */
export function PayLinks({ invoice, isPaid }: PayLinksProps) {
  const { t } = useLingui();
  const cards = useSite()?.features.card_payments !== false;
  const makes = cards && !isPaid;
  const title = useId();
  const cache = useQueryClient();
  const section = useRef<HTMLElement>(null);
  const found = useQuery(payLinksQuery(invoice));
  const again = () => cache.invalidateQueries({ queryKey: payLinksQuery(invoice).queryKey });
  if (found.isError && [403, 404].includes(problemOf(found.error).status)) return null;
  if (!makes && !found.data?.results.length) return null;
  return (
    <section ref={section} className={classes.links} aria-labelledby={title}>
      <h2 id={title}>
        <Trans>Payment links</Trans>
      </h2>
      {isPaid ? null : (
        <p>
          <Trans>
            Whoever has a link sees this invoice alone and can pay it by card, in your name, for 30
            days.
          </Trans>
        </p>
      )}
      {makes ? <Make invoice={invoice} onMade={() => void again()} /> : null}
      {found.isError ? (
        <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
      ) : (
        <DataTable
          label={t`Payment links`}
          rows={found.data?.results}
          keyOf={({ id }) => id}
          empty={
            <EmptyState
              action={
                <Button
                  variant="default"
                  size="md"
                  onClick={() => section.current?.querySelector("input")?.focus()}
                >
                  <Trans>Name somebody</Trans>
                </Button>
              }
            >
              <Trans>No link was made for this invoice.</Trans>
            </EmptyState>
          }
          columns={[
            { head: t`For`, names: true, cell: ({ madeFor }) => madeFor },
            { head: t`Made`, cell: (link) => <When at={link.createdAt} by={link.maker} /> },
            { head: t`Last opened`, cell: (link) => <When at={link.openedAt} /> },
            { head: t`Status`, cell: (link) => <State link={link} /> },
            {
              head: t`Action`,
              as: "controls",
              cell: (link) => <Revoke link={link} onDone={() => void again()} />,
            },
          ]}
        />
      )}
    </section>
  );
}

function Make({ invoice, onMade }: { invoice: string; onMade: () => void }) {
  const { t } = useLingui();
  const form = useFields({ madeFor: { rules: ["required"] } });
  const { busy, answer, problem, send } = useSend<{ url: string; madeFor: string }>();

  async function make({ madeFor }: typeof form.texts) {
    const refused = await send(async (key) => {
      const made = await makePayLink(invoice, madeFor.trim(), key);
      form.reset();
      onMade();
      return made;
    });
    if (refused) form.refuse(refused);
  }

  return (
    <>
      <form className={classes.form} onSubmit={form.submit(make)} noValidate>
        <TextInput
          size="md"
          label={t`Name of whom it is for`}
          autoComplete="off"
          maxLength={80}
          {...form.field("madeFor")}
        />
        <Button type="submit" size="md" loading={busy}>
          <Trans>Make a link</Trans>
        </Button>
      </form>
      <ProblemNote problem={problem} />
      {answer ? <Made url={answer.url} madeFor={answer.madeFor} /> : null}
    </>
  );
}

function Made({ url, madeFor }: { url: string; madeFor: string }) {
  const { t } = useLingui();
  return (
    <Note tone="ok" action={<CopyLink key={url} url={url} label={t`Link for ${madeFor}`} />}>
      <Trans>The link for {madeFor} is shown only once. Send it to nobody else.</Trans>
    </Note>
  );
}

function When({ at, by }: { at: string | null; by?: string }) {
  const { i18n } = useLingui();
  if (at === null) return "–";
  return (
    <>
      {i18n.date(at, { dateStyle: "medium", timeStyle: "short" })}
      {by ? <small>{by}</small> : null}
    </>
  );
}

function State({ link }: { link: PayLink }) {
  const { i18n } = useLingui();
  const at = link.paidAt ?? link.revokedAt ?? link.expiresAt;
  return (
    <>
      {i18n._(LINK_WORDS[link.state])}
      <small>{i18n.date(at, { dateStyle: "medium", timeStyle: "short" })}</small>
    </>
  );
}

function Revoke({ link, onDone }: { link: PayLink; onDone: () => void }) {
  const { t } = useLingui();
  const { busy, send } = useSend({ alert: true });
  if (link.state !== "open") return null;
  const revoke = async () => {
    await revokePayLink(link.id);
    onDone();
  };
  return (
    <Button
      variant="default"
      loading={busy}
      aria-label={t`Revoke the link for ${link.madeFor}`}
      onClick={() => void send(revoke)}
    >
      <Trans>Revoke</Trans>
    </Button>
  );
}
