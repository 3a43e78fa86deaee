import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { Trans, useLingui } from "@lingui/react/macro";
import { TextInput } from "@mantine/core";
import { useForm } from "react-hook-form";
import { Panel } from "~/shared/ui/panel";
import { useDraft } from "../../draft";
import { StepActions } from "../../parts/step-actions";
import classes from "../../parts/step-body.module.css";
import { welcomeSchema } from "../../schema";
import type { Run } from "../../session-hook";

type Fields = { email: string };

export function SendWelcome({ run }: { run: Run }) {
  const { t } = useLingui();
  const { view } = run.answer;
  const draft = useDraft<Fields>(view.id, "send-welcome");
  const form = useForm<Fields, unknown, Fields>({
    resolver: standardSchemaResolver(welcomeSchema),
    defaultValues: draft.held ?? { email: view.consumer_email ?? "" },
  });
  const fault = form.formState.errors.email?.message;

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
          onSubmit={form.handleSubmit(({ email }) =>
            run.ask({ type: "SUBMIT", data: { email: email.trim() } }),
          )}
        >
          <TextInput
            size="lg"
            type="email"
            label={t`Email of the vehicle's owner`}
            autoComplete="off"
            error={fault === "required" ? t`Required field` : fault ? t`Email invalid` : undefined}
            {...form.register("email", {
              onChange: (event) => draft.keep({ email: event.target.value }),
            })}
          />
        </form>
      </Panel>
      <StepActions run={run} label={<Trans>Send the welcome mail</Trans>} form="welcome" />
    </>
  );
}
