import { Trans, useLingui } from "@lingui/react/macro";
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { problemOf } from "~/shared/api/errors";
import { useFields } from "~/shared/forms/fields";
import { Choice } from "~/shared/ui/fields/choice";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Panel } from "~/shared/ui/screens/panel";
import { useDraft } from "../../draft";
import { StepActions } from "../../parts/step-actions";
import classes from "../../parts/step-body.module.css";
import { installersQuery } from "../../queries";
import { isAtWork, type Run } from "../../session-hook";

/** Who earns the reward: the owner of the run, and a colleague who had a part in it. */
export function DeviceRewards({ run }: { run: Run }) {
  const { t } = useLingui();
  const { view } = run.answer;
  const query = useQuery(installersQuery(view.id));
  const draft = useDraft<{ involved: string }>(view.id, "device-rewards");
  const form = useFields(
    {
      involved: {
        rules: [],
        initial: draft.held?.involved ?? view.facts.rewards?.involved_installer_id ?? "",
      },
    },
    { leavable: true, onTyped: draft.keep },
  );
  const involved = form.choice("involved");
  const others = query.data ?? [];
  const known = others.some((one) => one.id === involved.value) ? involved.value : "";

  return (
    <>
      <Panel className={classes.body}>
        <p>
          <Trans>
            The reward for this installation goes to <strong>{view.owner}</strong>, to whom this
            activation belongs.
          </Trans>
        </p>
        {query.isPending ? <Skeleton height={76} /> : null}
        {query.error ? (
          <ProblemNote problem={problemOf(query.error)} onRetry={() => void query.refetch()} />
        ) : null}
        {query.data && others.length === 0 ? (
          <p>
            <Trans>Nobody else works at your dealer yet.</Trans>
          </p>
        ) : null}
        {others.length > 0 ? (
          <Choice
            label={t`Who else installed it?`}
            placeholder={t`Nobody else`}
            disabled={isAtWork(run)}
            options={others.map((one) => ({ value: one.id, label: one.name }))}
            {...involved}
            value={known}
          />
        ) : null}
      </Panel>
      <StepActions
        run={run}
        label={<Trans>Save the reward</Trans>}
        onSubmit={() =>
          run.ask({ type: "SUBMIT", data: { involved_installer_id: known === "" ? null : known } })
        }
      />
    </>
  );
}
