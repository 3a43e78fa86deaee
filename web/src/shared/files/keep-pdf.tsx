import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { Problem, problemOf } from "~/shared/api/errors";
import { authorised } from "~/shared/api/fetch";
import { useSend } from "~/shared/api/send";
import { CONSTANTS } from "~/shared/constants";

type KeepPdfProps = {
  /** Path and query of the server that makes it. */
  path: string;
  /** Of the file. */
  name: string;
  /** What the button says, where a page has more than one. */
  children?: ReactNode;
};

/** A document as a PDF, made by the server, as a file to keep. */
export function KeepPdf({ path, name, children }: KeepPdfProps) {
  const { busy, send } = useSend({ alert: true });
  const keep = () => send(async () => offer(name, await fetchPdf(path)));
  return (
    <Button size="md" variant="default" loading={busy} onClick={() => void keep()}>
      {children ?? <Trans>Download as PDF</Trans>}
    </Button>
  );
}

async function fetchPdf(path: string): Promise<Blob> {
  const signal = AbortSignal.timeout(CONSTANTS.requestTimeout);
  const request = new Request(new URL(path, location.origin), { signal });
  const answer = await authorised(request).catch((cause: unknown) => {
    throw problemOf(cause);
  });
  if (!answer.ok)
    throw new Problem(
      answer.status,
      await answer.json().catch(() => ({})),
      null,
      answer.statusText,
    );
  return answer.blob();
}

function offer(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
