import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { Problem, problemOf } from "~/shared/api/errors";
import { authorised } from "~/shared/api/fetch";
import { useSend } from "~/shared/api/send";

/** The receipt as a PDF, made by the server, as a file to keep. */
export function KeepPdf({ uuid }: { uuid: string }) {
  const { busy, send } = useSend({ alert: true });
  const keep = () => send(async () => offer(`receipt-${uuid}.pdf`, await fetchPdf(uuid)));
  return (
    <Button size="md" variant="default" loading={busy} onClick={() => void keep()}>
      <Trans>Download as PDF</Trans>
    </Button>
  );
}

async function fetchPdf(uuid: string): Promise<Blob> {
  const url = new URL(`/v1/payments/${encodeURIComponent(uuid)}/receipt.pdf`, location.origin);
  const answer = await authorised(new Request(url)).catch((cause: unknown) => {
    throw problemOf(cause);
  });
  if (!answer.ok) throw new Problem(answer.status, await answer.json().catch(() => ({})));
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
