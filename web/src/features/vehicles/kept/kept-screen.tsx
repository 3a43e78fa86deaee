import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useEffectEvent, useId, useState } from "react";
import { type KeptAnswer, restored } from "~/shared/kept/answers";
import { allKept, type KeptEntry } from "~/shared/kept/kept";
import { safeNext } from "~/shared/session/access";
import { isUnproven, useSession } from "~/shared/session/session";
import { siteQuery } from "~/shared/session/site";
import { Age } from "~/shared/time/age";
import { EmptyState } from "~/shared/ui/lists/empty-state";
import { Note } from "~/shared/ui/notes/note";
import { useOnline } from "~/shared/ui/notes/offline-bar";
import { Heading } from "~/shared/ui/screens/heading";
import { Stroke } from "~/shared/vehicles/wiring/stroke";
import classes from "../wiring.module.css";
import own from "./kept-screen.module.css";

type Kept = { entries: readonly KeptEntry[]; answers: readonly KeptAnswer[] };

async function everythingKept(): Promise<Kept> {
  // Without one of them the other can be read.
  const [entries, held] = await Promise.all([
    allKept().catch(() => []),
    restored().catch(() => undefined),
  ]);
  return { entries, answers: held?.answers ?? [] };
}

type KeptScreenProps = {
  onRetry?: () => void;
  /** Where somebody was going when there was no signal. */
  next?: string;
  /** What waits on this phone for an activation. */
  waits?: (id: string) => ReactNode;
};

/**
 * What can be looked at without a network: activations and devices lead to their own pages, vehicles and guides are read
 * here. Each says how old it is.
 */
export function KeptScreen({
  onRetry = () => window.location.reload(),
  next,
  waits,
}: KeptScreenProps) {
  const { t } = useLingui();
  const [kept, setKept] = useState<Kept>();
  const [chosen, setChosen] = useState<string>();
  useEffect(() => {
    void everythingKept().then(setKept);
  }, []);
  const open = kept?.entries.find(({ id }) => id === chosen);
  const pages = (...kinds: readonly string[]) =>
    (kept?.answers ?? [])
      .filter(({ kind }) => kinds.includes(kind))
      .map((one) => pageRow(one, waits));
  const readings = (wanted: string) =>
    (kept?.entries ?? [])
      .filter(({ kind }) => kind === wanted)
      .map(({ id, title, at }) => ({ key: id, title, at, onClick: () => setChosen(id) }));
  return (
    <div className={classes.page}>
      <Heading focusKey={chosen ?? ""}>
        {open ? open.title : <Trans>Kept for reading offline</Trans>}
      </Heading>
      {next && !open ? <Awaited next={next} /> : null}
      {kept === undefined ? <Skeleton height={220} radius="lg" /> : null}
      {kept && kept.entries.length + kept.answers.length === 0 ? (
        <EmptyState
          action={
            <Button variant="default" size="md" onClick={onRetry}>
              <Trans>Try again</Trans>
            </Button>
          }
        >
          <Trans>
            Nothing is kept in this browser. Activations, devices, vehicles and guides that you open
            while you are online can be read here.
          </Trans>
        </EmptyState>
      ) : null}
      {open ? (
        <>
          <div className={`${classes.tools} ${own.tools}`}>
            <Button variant="default" size="md" onClick={() => setChosen(undefined)}>
              <Trans>All that is kept</Trans>
            </Button>
            <KeptAge at={open.at} />
          </div>
          <Entry entry={open} />
        </>
      ) : kept ? (
        <>
          <Rows name={t`Activations`} rows={pages("activation")} />
          <Rows name={t`Devices`} rows={pages("devices", "device")} />
          <Rows name={t`Vehicles`} rows={readings("vehicle")} />
          <Rows name={t`Guides`} rows={readings("guide")} />
        </>
      ) : null}
    </div>
  );
}

type AwaitedProps = { next: string; go?: (to: string) => void };

const ASK_AGAIN_MS = 5_000;

/** Whether the server was heard. A network that is there may reach nobody, and tells nothing when that changes. */
function useReached(): boolean {
  const online = useOnline();
  const site = useQuery({
    ...siteQuery,
    enabled: online,
    refetchInterval: ({ state }) => (state.data ? false : ASK_AGAIN_MS),
  });
  return online && site.data !== undefined;
}

/** Says that a page is not kept here, and goes there as soon as the server can be asked. Whoever reads meanwhile is left in peace. */
export function Awaited({ next, go = (to) => window.location.replace(to) }: AwaitedProps) {
  const reached = useReached();
  const unproven = isUnproven(useSession());
  const leave = useEffectEvent(() => go(safeNext(next) + window.location.hash));
  useEffect(() => {
    if (reached && !unproven) leave();
  }, [reached, unproven]);
  return (
    <Note tone="plain">
      <Trans>The page that you opened is not kept here. It comes by itself with the signal.</Trans>
    </Note>
  );
}

type Row = {
  key: string;
  title: ReactNode;
  at: string;
  beneath?: ReactNode;
  onClick?: () => void;
  renderRoot?: (props: Record<string, unknown>) => ReactNode;
};

function Rows({ name, rows }: { name: string; rows: readonly Row[] }) {
  const id = useId();
  if (rows.length === 0) return null;
  return (
    <section>
      <h2 id={id}>{name}</h2>
      <ul className={classes.options} aria-labelledby={id}>
        {rows.map(({ key, title, at, beneath, ...leads }) => (
          <li key={key} className={own.page}>
            <Button
              variant="default"
              size="lg"
              fullWidth
              justify="space-between"
              classNames={{ root: own.opens, label: own.title, section: own.age }}
              rightSection={<KeptAge at={at} />}
              {...leads}
            >
              {title}
            </Button>
            {beneath}
          </li>
        ))}
      </ul>
    </section>
  );
}

function pageRow(one: KeptAnswer, waits?: (id: string) => ReactNode): Row {
  return {
    key: `${one.kind} ${one.id}`,
    title: one.kind === "devices" ? <Trans>Devices of your business</Trans> : one.title,
    at: new Date(one.at).toISOString(),
    renderRoot: (props) => <PageLink of={one} {...props} />,
    beneath: (
      <>
        {one.more ? <small className={own.more}>{one.more}</small> : null}
        {one.kind === "activation" ? waits?.(one.id) : null}
      </>
    ),
  };
}

function PageLink({ of: { kind, id }, ...props }: { of: KeptAnswer }) {
  if (kind === "activation") return <Link to="/activation/device" search={{ id }} {...props} />;
  if (kind === "device") return <Link to="/devices/$key" params={{ key: id }} {...props} />;
  return <Link to="/devices" {...props} />;
}

function KeptAge({ at }: { at: string }) {
  return (
    <span>
      <Trans>
        as of <Age since={at} />
      </Trans>
    </span>
  );
}

function Entry({ entry }: { entry: KeptEntry }) {
  const { t } = useLingui();
  return (
    <>
      {entry.lacks?.map((text) => (
        <Note key={text} tone="wait">
          {text}
        </Note>
      ))}
      {entry.text.map((text, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs that never change
        <p key={place}>{text}</p>
      ))}
      {entry.sections.map(({ title, rows }) => (
        <section key={title}>
          <h2>{title}</h2>
          <ul>
            {rows.map(({ name, color, cells }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows that never change
              <li key={place}>
                <strong>{name}</strong> <Stroke color={color} />
                {cells.map(({ title: column, value }) => t`${column}: ${value}`).join(", ")}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
