import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { fetchedDialog } from "~/shared/ui/fetched";
import { useOpener } from "~/shared/ui/opener";

const Scanner = fetchedDialog(() => import("./scanner"));

type ScanCodeProps = {
  /** What the button is called for those who do not see where it stands. */
  label: string;
  children: ReactNode;
  /** Where to hold the camera. */
  hint: ReactNode;
  /** What is looked for among the texts of the codes in view. */
  pick: (texts: readonly string[]) => string | undefined;
  onFound: (text: string) => void;
};

/** Reads a code with the camera, where there is one that a page may use. */
export function ScanCode({ label, children, hint, pick, onFound }: ScanCodeProps) {
  const { below, button } = useOpener("dialog", { over: true });
  if (!navigator.mediaDevices) return null;
  return (
    <>
      <Button variant="default" size="md" aria-label={label} {...button}>
        {children}
      </Button>
      {below.open ? (
        <Scanner
          title={children}
          hint={hint}
          pick={pick}
          button={below.button}
          onClose={below.onClose}
          onFound={(text) => {
            below.onClose();
            onFound(text);
          }}
        />
      ) : null}
    </>
  );
}
