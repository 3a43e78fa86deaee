import type { MessageDescriptor } from "@lingui/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { CheckIcon } from "~/shared/ui/pictures/icons";
import type { Flow } from "../use-flow";
import classes from "./flow-map.module.css";
import { type PlaceAt, placesOf, type Stage } from "./places";

export type NamedStage = Stage & { label: MessageDescriptor };

type FlowMapProps = {
  flow: Pick<Flow, "position" | "state" | "presumed" | "answer">;
  stages: readonly NamedStage[];
  label: string;
};

/** The way of a run in short, drawn from its chart: what is behind, where it is, what comes. */
export function FlowMap({ flow, stages, label }: FlowMapProps) {
  const { i18n } = useLingui();
  const { position, state, presumed, answer } = flow;
  const before = answer.moved?.from_state;
  const places = placesOf(stages, { position, state, presumed, before });
  return (
    <ol className={classes.steps} aria-label={label}>
      {places.map(({ label, at }, place) => (
        <li key={label.id} data-at={at} aria-current={at === "here" ? "step" : undefined}>
          <span aria-hidden="true">{at === "done" ? <CheckIcon size={16} /> : place + 1}</span>
          {i18n._(label)}
          <Said at={at} />
        </li>
      ))}
    </ol>
  );
}

/** What a sign alone would not tell everybody. */
function Said({ at }: { at: PlaceAt }) {
  if (at === "done")
    return (
      <b className="quiet">
        {" "}
        <Trans>(done)</Trans>
      </b>
    );
  if (at === "sent")
    return (
      <b className="quiet">
        {" "}
        <Trans>(sent)</Trans>
      </b>
    );
  if (at === "closed")
    return (
      <b className="quiet">
        {" "}
        <Trans>(not reached)</Trans>
      </b>
    );
  return null;
}
