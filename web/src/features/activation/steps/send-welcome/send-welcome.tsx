import { Trans, useLingui } from "@lingui/react/macro";
import { TextInput } from "@mantine/core";
import { useFields } from "~/shared/forms/fields";
import { Panel } from "~/shared/ui/screens/panel";
import { useDraft } from "../../draft";
import { StepActions } from "../../parts/step-actions";
import classes from "../../parts/step-body.module.css";
import type { Run } from "../../session-hook";

export function SendWelcome({ run }: { run: Run }) {
  const { t } = useLingui();
  const { view } = run.answer;
  const draft = useDraft<{ email: string }>(view.id, "send-welcome");
  const form = useFields(
    {
      email: {
        rules: ["required", "email"],
        initial: draft.held?.email ?? view.consumer_email ?? "",
        shape: (typed) => typed.trim(),
      },
    },
    { leavable: true, onTyped: draft.keep },
  );

  return (
    <>
      <Panel className={classes.body}>
        <p>
          <Trans>The owner of the vehicle gets a mail with the first steps in the app.</Trans>
        </p>
        <form
          id="welcome"
          className={classes.form}
          noValidate
          onSubmit={form.submit((data) => run.ask({ type: "SUBMIT", data }))}
        >
          <TextInput
            size="lg"
            type="email"
            label={t`Email of the vehicle's owner`}
            autoComplete="off"
            {...form.field("email")}
          />
        </form>
      </Panel>
      <StepActions run={run} label={<Trans>Send the welcome mail</Trans>} form="welcome" />
    </>
  );
}
