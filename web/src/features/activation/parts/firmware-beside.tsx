import { Trans, useLingui } from "@lingui/react/macro";
import { isOffered } from "~/shared/firmware/flow";
import { STATE_WORDS } from "~/shared/firmware/words";
import { Note } from "~/shared/ui/notes/note";
import type { ActivationView } from "../types";

/** What becomes of the firmware from its check to the tests; those wait for it, and show more of it themselves. */
export function FirmwareBeside({ view }: { view: ActivationView }) {
  const { i18n } = useLingui();
  const { beside, facts, plan, step } = view;
  const [begun, here, tests] = (["check-firmware", step, "device-testing"] as const).map((name) =>
    plan.indexOf(name),
  ) as [number, number, number];
  if (!beside || begun < 0 || here <= begun || here >= tests) return null;
  if (beside === "failed") {
    return (
      <Note tone="fail">
        {facts.firmware && isOffered(facts.firmware, "RETRY") ? (
          <Trans>
            The firmware was not updated. Before the tests you can try again, or go on without it.
          </Trans>
        ) : (
          <Trans>
            The firmware was not updated. Before the tests you can go on without it, or go back to
            the check of the firmware, which begins it again.
          </Trans>
        )}
      </Note>
    );
  }
  const { state = "starting", percent } = facts.firmware ?? {};
  const words = STATE_WORDS[state];
  const done = typeof percent === "number" ? i18n.number(percent / 100, { style: "percent" }) : "";
  return (
    <Note tone="plain">
      <Trans>The firmware is updated beside this. Keep the device on power.</Trans>{" "}
      <strong>
        {words ? i18n._(words.words) : state} {done}
      </strong>
    </Note>
  );
}
