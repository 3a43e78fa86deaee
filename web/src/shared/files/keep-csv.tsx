import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useSend } from "~/shared/api/send";
import { download } from "./download";

type KeepCsvProps = {
  /** Of the file. */
  name: string;
  /** The whole list as a file, with headings in this language. */
  ask: (language: "en" | "fr") => Promise<string>;
};

/** What a list shows, all its pages, as a file for spreadsheets. */
export function KeepCsv({ name, ask }: KeepCsvProps) {
  const { i18n } = useLingui();
  const { busy, send } = useSend({ alert: true });
  const keep = async () => download(name, await ask(i18n.locale === "fr" ? "fr" : "en"));
  return (
    <Button variant="default" size="md" loading={busy} onClick={() => void send(keep)}>
      <Trans>Download as CSV</Trans>
    </Button>
  );
}
