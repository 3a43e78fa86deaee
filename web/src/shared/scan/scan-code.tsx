import { Button } from "@mantine/core";
import { type ReactNode, useRef, useState } from "react";
import { fetchedDialog } from "~/shared/ui/fetched";

export type Wanted = "serial" | "digits" | "vin";

const Scanner = fetchedDialog(() => import("./scanner"));

type ScanCodeProps = {
  /** What the button is called for those who do not see where it stands. */
  label: string;
  children: ReactNode;
  /** Where to hold the camera. */
  hint: ReactNode;
  /** What is looked for among the codes in view. */
  wanted: Wanted;
  onFound: (text: string) => void;
};

/** Reads a code with the camera, where there is one that a page may use. */
export function ScanCode({ label, children, hint, wanted, onFound }: ScanCodeProps) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  if (!navigator.mediaDevices) return null;
  return (
    <>
      <Button
        variant="default"
        size="md"
        ref={button}
        aria-label={label}
        onClick={() => setOpen(true)}
      >
        {children}
      </Button>
      {open ? (
        <Scanner
          title={children}
          hint={hint}
          wanted={wanted}
          button={button}
          onClose={() => setOpen(false)}
          onFound={(text) => {
            setOpen(false);
            onFound(text);
          }}
        />
      ) : null}
    </>
  );
}
