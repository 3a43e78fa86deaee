import { Trans, useLingui } from "@lingui/react/macro";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { Dialog } from "~/shared/ui/dialog";
import { Note } from "~/shared/ui/note";
import { codeReader, vinAmong } from "./barcodes";
import classes from "./scanner.module.css";

const LOOK_EVERY_MS = 200;

type ScannerProps = { onVin: (vin: string) => void; onClose: () => void };

/** Nothing of what the camera shows is kept or sent. */
export default function Scanner({ onVin, onClose }: ScannerProps) {
  return (
    <Dialog title={<Trans>Scan the VIN</Trans>} onClose={onClose} size="lg">
      <Picture onVin={onVin} />
    </Dialog>
  );
}

/** The camera's picture until it shows a VIN. */
function Picture({ onVin }: Pick<ScannerProps, "onVin">) {
  const { t } = useLingui();
  const video = useRef<HTMLVideoElement>(null);
  const [fault, setFault] = useState<"denied" | "away">();
  const found = useEffectEvent(onVin);

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
        const vin = vinAmong(await read(shown).catch(() => []));
        if (over) return;
        if (vin) found(vin);
        else timer = setTimeout(look, LOOK_EVERY_MS);
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
          <Trans>The camera may not be used. Allow it in the browser, or type the VIN.</Trans>
        ) : (
          <Trans>There is no camera to use. Please type the VIN.</Trans>
        )}
      </Note>
    );
  }
  return (
    <>
      <p role="status">
        <Trans>Hold the code on the door frame or the windscreen into the picture.</Trans>
      </p>
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
