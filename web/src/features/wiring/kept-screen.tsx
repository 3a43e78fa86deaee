import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Skeleton } from "@mantine/core";
import { useEffect, useState } from "react";
import { allKept, type KeptEntry } from "~/shared/kept/kept";
import { Age } from "~/shared/time/age";
import { EmptyState } from "~/shared/ui/empty-state";
import { Heading } from "~/shared/ui/heading";
import { Stroke } from "~/shared/vehicles/stroke";
import classes from "./wiring.module.css";

/** Vehicles and guides that were opened last, to be read without a network; each says how old it is. */
export function KeptScreen({ onRetry = () => window.location.reload() }) {
  const { t } = useLingui();
  const [kept, setKept] = useState<KeptEntry[]>();
  const [chosen, setChosen] = useState<string>();
  useEffect(() => {
    void allKept().then(setKept);
  }, []);
  const open = kept?.find(({ id }) => id === chosen);
  return (
    <div className={classes.page}>
      <Heading focusKey={chosen ?? ""}>
        {open ? open.title : <Trans>Kept for reading offline</Trans>}
      </Heading>
      {kept === undefined ? <Skeleton height={220} radius="lg" /> : null}
      {kept?.length === 0 ? (
        <EmptyState
          action={
            <Button variant="default" size="md" onClick={onRetry}>
              <Trans>Try again</Trans>
            </Button>
          }
        >
          <Trans>
            Nothing is kept in this browser. Vehicles and guides that you open while you are online
            can be read here.
          </Trans>
        </EmptyState>
      ) : null}
      {open ? (
        <>
          <div className={classes.tools}>
            <Button variant="default" size="md" onClick={() => setChosen(undefined)}>
              <Trans>All that is kept</Trans>
            </Button>
            <KeptAge at={open.at} />
          </div>
          <Entry entry={open} />
        </>
      ) : kept?.length ? (
        <ul className={classes.options} aria-label={t`Kept for reading offline`}>
          {kept.map(({ id, title, at }) => (
            <li key={id}>
              <Button
                variant="default"
                size="lg"
                fullWidth
                justify="space-between"
                rightSection={<KeptAge at={at} />}
                onClick={() => setChosen(id)}
              >
                {title}
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
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
  return (
    <>
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
                {cells.map(({ title: column, value }) => `${column}: ${value}`).join(", ")}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
