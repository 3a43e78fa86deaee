import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { tellProblem } from "~/shared/alerts/alerts";
import { Problem, problemOf } from "~/shared/api/errors";
import { authorised } from "~/shared/api/fetch";

/** The receipt as a PDF, made by the server, as a file to keep. */
export function KeepPdf({ uuid }: { uuid: string }) {
  const keep = useMutation({
    mutationFn: () => fetchPdf(uuid),
    onSuccess: (pdf) => offer(`receipt-${uuid}.pdf`, pdf),
    onError: tellProblem,
  });
  return (
    <Button size="md" variant="default" loading={keep.isPending} onClick={() => keep.mutate()}>
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
