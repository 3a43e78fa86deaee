import { Trans, useLingui } from "@lingui/react/macro";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { Dialog } from "~/shared/ui/dialogs/dialog";
import { Note } from "~/shared/ui/notes/note";
import { vinAmong } from "~/shared/vehicles/vin";
import { codeReader } from "./barcodes";
import { digitsAmong, serialAmong } from "./device-codes";
import type { Wanted } from "./scan-code";
import classes from "./scanner.module.css";

const LOOK_EVERY_MS = 200;

/** What of the texts of codes is what was looked for. */
const AMONG: Record<Wanted, (texts: readonly string[]) => string | undefined> = {
  serial: serialAmong,
  digits: digitsAmong,
  vin: vinAmong,
};

type PictureProps = {
  hint: ReactNode;
  wanted: Wanted;
  onFound: (text: string) => void;
};
type ScannerProps = PictureProps & { title: ReactNode; onClose: () => void };

/** Nothing of what the camera shows is kept or sent. */
export default function Scanner({ title, onClose, ...picture }: ScannerProps) {
  return (
    <Dialog title={title} onClose={onClose} size="lg">
      <Picture {...picture} />
    </Dialog>
  );
}

/** The camera's picture until it shows what is looked for. */
function Picture({ hint, wanted, onFound }: PictureProps) {
  const { t } = useLingui();
  const video = useRef<HTMLVideoElement>(null);
  const [fault, setFault] = useState<"denied" | "away">();
  const found = useEffectEvent((texts: readonly string[]) => {
    const text = AMONG[wanted](texts);
    if (text) onFound(text);
    return text !== undefined;
  });

  useEffect(() => {
    let over = false;
    let stream: MediaStream | undefined;
    let timer: ReturnType<typeof setTimeout>;

    async function begin() {
      const shown = video.current;
      stream = await navigator.mediaDevices.getUserMedia({
        video: { facingMode: "environment", width: { ideal: 1280 } },
      });
      if (over || !shown) return stop();
      shown.srcObject = stream;
      await shown.play();
      const read = await codeReader();
      const look = async () => {
        if (over) return;
        const texts = await read(shown).catch(() => []);
        if (over || found(texts)) return;
        timer = setTimeout(look, LOOK_EVERY_MS);
      };
      await look();
    }

    function stop() {
      over = true;
      clearTimeout(timer);
      for (const track of stream?.getTracks() ?? []) track.stop();
    }

    begin().catch((cause: unknown) => {
      if (over) return;
      setFault(
        cause instanceof DOMException && cause.name === "NotAllowedError" ? "denied" : "away",
      );
    });
    return stop;
  }, []);

  if (fault) {
    return (
      <Note tone="fail">
        {fault === "denied" ? (
          <Trans>The camera may not be used. Allow it in the browser, or type the number.</Trans>
        ) : (
          <Trans>There is no camera to use. Please type the number.</Trans>
        )}
      </Note>
    );
  }
  return (
    <>
      <p role="status">{hint}</p>
      <video
        ref={video}
        className={classes.picture}
        muted
        playsInline
        aria-label={t`Picture of the camera`}
      />
    </>
  );
}
