import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { Command } from "cmdk";
import { useState } from "react";
import { chooseBusiness } from "~/features/partners/choose";
import { whyNotChosen } from "~/features/partners/why-not-chosen";
import { problemOf } from "~/shared/api/errors";
import { asking } from "~/shared/api/operation";
import { useSend } from "~/shared/api/send";
import { isOffered } from "~/shared/navigation/links";
import { SCREENS } from "~/shared/navigation/routes";
import { useRenewal } from "~/shared/plans/renewal";
import { askForBusiness } from "~/shared/session/ask-business";
import { mayBuyPlans, ordersBySku } from "~/shared/session/rights";
import { useSession, workOf } from "~/shared/session/session";
import { useSite } from "~/shared/session/site";
import { Dialog } from "~/shared/ui/dialogs/dialog";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import classes from "./palette.module.css";
import {
  hasChoice,
  KIND_WORDS,
  type Named,
  placeIn,
  placeOf,
  renewalIn,
  SHORTEST,
} from "./palette-places";

/** In ms: a word is looked up once nobody has typed for so long. */
const PAUSE = 200;
const MOST_PAGES = 6;

type Entry = { key: string; name: string; note?: string | null; go: () => void };

/** One word looked up in pages, actions and everything that the person may open; by keyboard alone. */
export default function PaletteModal({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useLingui();
  const router = useRouter();
  const now = useSession();
  const site = useSite();
  const signedIn = now.state === "signed-in";
  const [typed, setTyped] = useState("");
  const [settled] = useDebouncedValue(typed, PAUSE);
  const { word, renews } = renewalIn(settled);
  const { busy, problem, send } = useSend();
  const renewal = useRenewal(onClose);
  const refusal = problem && whyNotChosen(problem);
  const asks = signedIn && word.length >= SHORTEST;
  const found = useQuery({
    ...asking("get", "/v1/palette", { params: { query: { word } } }),
    enabled: asks,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
  const isOld = typed !== settled || found.isPlaceholderData;
  const named = (asks ? (found.data?.results ?? []) : []).filter(
    (one) => !isOld || nameFits(one, renewalIn(typed).word),
  );
  const administers = now.state !== "anonymous" && now.user.roles.includes("admin");

  function open(href: string) {
    onClose();
    void router.navigate({ href });
  }

  async function workFor(code: string) {
    const refused = await send((key) => chooseBusiness(code, key), [code]);
    if (!refused) open("/");
  }

  const pages: Entry[] = Object.entries(SCREENS)
    .flatMap(([path, screen]) => {
      const to = placeIn(path, screen, now, site);
      return to === undefined ? [] : [{ path: to, name: i18n._(screen.title) }];
    })
    .filter(({ name }) => fits(name, typed))
    .slice(0, typed.trim() ? MOST_PAGES : undefined)
    .map(({ path, name }) => ({ key: path, name, go: () => open(path) }));

  const renewals: Entry[] = mayBuyPlans(now)
    ? named
        .filter(({ kind }) => kind === "device")
        .map(({ id, plan_id }) => ({
          key: `renew ${id}`,
          name: t`Renew ${id}`,
          go: () =>
            plan_id
              ? void renewal.renew(id, plan_id)
              : open(`/subscriptions/plans?device=${encodeURIComponent(id)}`),
        }))
    : [];
  const standing: Entry[] = [];
  if (isOffered("/activation", site, now))
    standing.push({
      key: "activate",
      name: t`Activate a device`,
      go: () => open("/activation"),
    });
  if (ordersBySku(now))
    standing.push({
      key: "quick-order",
      name: t`Quick Order`,
      go: () => open("/search?qo=true"),
    });
  if (workOf(now)?.must_choose && hasChoice(router.state.location.pathname))
    standing.push({
      key: "select-business",
      name: t`Select Business`,
      go: () => {
        onClose();
        askForBusiness();
      },
    });
  const actions = [...renewals, ...standing.filter(({ name }) => fits(name, typed))];

  const things = (renews ? named.filter(({ kind }) => kind === "device") : named).map((one) => ({
    kind: one.kind,
    entry: {
      key: `${one.kind} ${one.id} ${one.name}`,
      name: one.name,
      note: one.kind === "device" ? one.note?.toUpperCase() : one.note,
      go: () =>
        one.kind === "business" && !administers
          ? void workFor(one.id)
          : open(placeOf(one, administers)),
    },
  }));
  const count = pages.length + actions.length + things.length;

  return (
    <Dialog onClose={onClose} busy={busy || renewal.busy} size={640} title={t`Find anything`}>
      {refusal ? (
        <Note tone="fail">{typeof refusal === "string" ? refusal : i18n._(refusal)}</Note>
      ) : null}
      <Command shouldFilter={false} label={t`Find anything`} className={classes.palette}>
        <Command.Input
          data-autofocus
          className={classes.input}
          value={typed}
          onValueChange={setTyped}
          maxLength={80}
          placeholder={t`Order, SKU, serial number, page …`}
        />
        <p className={classes.count} role="status">
          {asks && (isOld || found.isFetching) ? (
            <Trans>Looking</Trans>
          ) : found.isError ? null : (
            <Plural value={count} one="# result" other="# results" />
          )}
        </p>
        {found.isError ? (
          <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
        ) : null}
        <Command.List className={classes.list} label={t`Results`}>
          <Entries title={t`Pages`} entries={typed.trim() ? pages : []} />
          <Entries title={t`Actions`} entries={actions} />
          {KINDS.map((kind) => (
            <Entries
              key={kind}
              title={i18n._(KIND_WORDS[kind])}
              entries={things.filter((one) => one.kind === kind).map(({ entry }) => entry)}
            />
          ))}
          <Entries title={t`All pages`} entries={typed.trim() ? [] : pages} />
        </Command.List>
      </Command>
    </Dialog>
  );
}

const KINDS = Object.keys(KIND_WORDS) as Named["kind"][];

function Entries({ title, entries }: { title: string; entries: readonly Entry[] }) {
  if (entries.length === 0) return null;
  return (
    <Command.Group heading={title}>
      {entries.map(({ key, name, note, go }) => (
        <Command.Item key={key} value={key} onSelect={go} className={classes.entry}>
          <span>{name}</span>
          {note && note !== name ? <small>{note}</small> : null}
        </Command.Item>
      ))}
    </Command.Group>
  );
}

/** Whether what another word found may stand while this one is looked up: Enter opens nothing else. */
function nameFits({ id, name, note }: Named, word: string): boolean {
  return [id, name, note ?? ""].some((one) => fits(one, word));
}

function fits(name: string, typed: string): boolean {
  return name.toLowerCase().includes(typed.trim().toLowerCase());
}
