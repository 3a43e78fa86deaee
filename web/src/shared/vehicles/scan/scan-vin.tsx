import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useState } from "react";
import { fetchedDialog } from "~/shared/ui/fetched";

const Scanner = fetchedDialog(() => import("./scanner"));

/** Reads a VIN with the camera, where there is one that a page may use. */
export function ScanVin({ onVin }: { onVin: (vin: string) => void }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  if (!navigator.mediaDevices) return null;
  return (
    <>
      <Button
        variant="default"
        size="md"
        aria-label={t`Scan the VIN with the camera`}
        onClick={() => setOpen(true)}
      >
        <Trans>Scan the VIN</Trans>
      </Button>
      {open ? (
        <Scanner
          onClose={() => setOpen(false)}
          onVin={(vin) => {
            setOpen(false);
            onVin(vin);
          }}
        />
      ) : null}
    </>
  );
}
