import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { carried } from "~/shared/session/session";
import { Age } from "~/shared/time/age";
import { Dialog } from "~/shared/ui/dialogs/dialog";
import { Status } from "~/shared/ui/notes/status";
import { STEP_WORDS } from "../words";
import { useWhyRefused } from "./kept-here";
import { drop, isAtHand, type Kept, useKept } from "./outbox";
import { ThrowAway } from "./throw-away";
import classes from "./waiting-forms.module.css";

/** Every form that waits on this device: of which step and device, since when, and the way to it or out of it. */
export default function WaitingForms({ onClose }: { onClose: () => void }) {
  const kept = useKept();
  useEffect(() => {
    if (kept.length === 0) onClose();
  }, [kept, onClose]);
  const list = useRef<HTMLUListElement>(null);

  /** The focus goes to a neighbour's first button before its own is gone; from the last one, where the dialog leaves it. */
  function throwAway(one: Kept, place: number) {
    const rows = list.current?.children;
    const neighbour = rows?.[place + 1] ?? rows?.[place - 1];
    neighbour?.querySelector<HTMLElement>("a, button")?.focus();
    drop(one.key);
  }

  return (
    <Dialog
      onClose={onClose}
      title={<Plural value={kept.length} one="# form waits here" other="# forms wait here" />}
    >
      <ul ref={list} className={classes.rows}>
        {kept.map((one, place) => (
          <li key={one.key}>
            <Row one={one} onOpen={onClose} onThrow={() => throwAway(one, place)} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

type RowProps = { one: Kept; onOpen: () => void; onThrow: () => void };

function Row({ one, onOpen, onThrow }: RowProps) {
  const { t, i18n } = useLingui();
  const words = STEP_WORDS[one.at.view.step];
  const step = words ? i18n._(words) : one.at.view.step;
  return (
    <>
      <span className={classes.what}>
        <b>{step}</b>
        <code>{one.device}</code>
        <small>
          <Trans>
            Entered <Age since={one.kept} />
          </Trans>
        </small>
      </span>
      <FormStatus one={one} />
      <span className={classes.actions}>
        {isAtHand(one) ? (
          <Button
            size="md"
            variant="default"
            aria-label={t`Open: ${step}, ${one.device}`}
            renderRoot={(props) => (
              <Link
                to="/activation/device"
                search={{ id: one.at.id, step: one.at.view.step }}
                hash={true}
                onClick={onOpen}
                {...props}
              />
            )}
          >
            <Trans context="button">Open</Trans>
          </Button>
        ) : null}
        <ThrowAway name={t`${step}, ${one.device}`} onThrow={onThrow} />
      </span>
    </>
  );
}

function FormStatus({ one }: { one: Kept }) {
  const why = useWhyRefused(one);
  if (one.refused)
    return (
      <span className={classes.standing}>
        <Status tone="fail">
          <Trans>No longer fits</Trans>
        </Status>
        <small>{why}</small>
      </span>
    );
  if (!isAtHand(one))
    return (
      <Status tone="wait">
        {carried() ? (
          <Trans>Entered under another link: open that one to send it</Trans>
        ) : (
          <Trans>Open your link of this activation to send it</Trans>
        )}
      </Status>
    );
  return (
    <Status tone="wait">
      {one.reach === "device" ? (
        <Trans>Ready to send to the device: open it</Trans>
      ) : (
        <Trans>Waits for a signal, and is sent by itself</Trans>
      )}
    </Status>
  );
}
