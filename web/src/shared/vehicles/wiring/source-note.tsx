import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { useLingui } from "@lingui/react";
import type { Schemas } from "~/shared/api/client";
import { Age } from "~/shared/time/age";
import { Note } from "~/shared/ui/notes/note";

export type SourceReport = Schemas["SourceReport"];

/** What the sources of wiring are called. */
export const SOURCE_NAMES: Record<SourceReport["source"], string> = {
  internal: "Firstech",
  adsWiring: "iDatawire",
  autoMobWiring: "3rd Party",
};

const TONES = { fresh: "plain", stale: "wait", away: "fail" } as const;

/** How a source answered; before the date of what is shown of it, if there is any. */
export function sourceWords(report: SourceReport): MessageDescriptor {
  switch (report.state) {
    case "fresh":
      return msg`Source: ${report.name}`;
    case "stale":
      return msg`${report.name} does not answer at the moment. This is what it told before:`;
    case "away":
      return msg`${report.name} does not answer at the moment. The other sources are shown.`;
  }
}

/** When a source was asked, and whether it is away. */
export function SourceNote({ report }: { report: SourceReport }) {
  const { i18n } = useLingui();
  return (
    <Note tone={TONES[report.state]}>
      {i18n._(sourceWords(report))}
      {report.fetched_at && report.state !== "away" ? (
        <>
          {" "}
          <Age since={report.fetched_at} />
        </>
      ) : null}
    </Note>
  );
}
