import { Trans } from "@lingui/react/macro";
import { answered, client } from "~/shared/api/client";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { NameFields } from "~/shared/forms/name-fields";
import type { SignedInUser } from "~/shared/session/session";
import { loadWork } from "~/shared/session/work";
import { DoneButton } from "~/shared/ui/buttons/done-button";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "./profile.module.css";

/** The name, which may be changed. */
export function About({ user, locked }: { user: SignedInUser; locked: boolean }) {
  const sending = useSend();
  const form = useFields({
    first_name: { rules: ["required", "name"], initial: user.first_name },
    last_name: { rules: ["required", "name"], initial: user.last_name },
  });

  async function save(body: typeof form.texts) {
    const problem = await sending.send(async (key) => {
      const params = { path: { id: user.id } };
      const headers = { "Idempotency-Key": key };
      await answered(client.PATCH("/v1/user/{id}", { params, headers, body }));
      await loadWork();
    }, body);
    if (problem) form.refuse(problem);
  }

  return (
    <Panel aria-labelledby="about">
      <h2 id="about">
        <Trans>About you</Trans>
      </h2>
      <form className={classes.form} onSubmit={form.submit(save)} noValidate>
        <ProblemNote problem={sending.problem} besideFields />
        <NameFields form={form} readOnly={locked} />
        <DoneButton
          size="md"
          done={sending.done}
          loading={sending.busy}
          disabled={locked || !form.dirty}
        >
          <Trans>Save the name</Trans>
        </DoneButton>
      </form>
    </Panel>
  );
}
