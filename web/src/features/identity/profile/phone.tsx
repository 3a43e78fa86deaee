import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { answered, client } from "~/shared/api/client";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import {
  type PhoneCountry,
  PhoneCountryChoice,
  phoneCountryOf,
  withPhoneCode,
} from "~/shared/forms/phone-country";
import { shownPhone } from "~/shared/forms/validation";
import type { SignedInUser } from "~/shared/session/session";
import { useSiteCountry } from "~/shared/session/site-country";
import { loadWork } from "~/shared/session/work";
import { DoneButton } from "~/shared/ui/buttons/done-button";
import { bareCode, CODE, CodeField } from "~/shared/ui/fields/code-field";
import { handOn } from "~/shared/ui/hand-on";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "./profile.module.css";

/** The telephone number: it counts once the code that was sent to it comes back. */
export function Phone({ user, locked }: { user: SignedInUser; locked: boolean }) {
  const { t } = useLingui();
  const sending = useSend();
  const verifying = useSend();
  const [sentTo, setSentTo] = useState<string>();
  const form = useFields({
    phone_number: {
      rules: ["required", "phone"],
      initial: user.phone_number ?? "",
    },
    country: { rules: [], initial: phoneCountryOf(user.phone_number, useSiteCountry()) },
  });
  const country = form.choice<PhoneCountry>("country");
  const proof = useFields({ code: CODE }, { leavable: true });

  async function ask(texts: typeof form.texts) {
    const phone_number = withPhoneCode(country.value, texts.phone_number);
    const problem = await sending.send(() =>
      answered(client.POST("/v1/auth/phone/update", { body: { phone_number } })),
    );
    if (problem) form.refuse(problem);
    else setSentTo(phone_number);
  }

  async function verify({ code }: typeof proof.texts) {
    const problem = await verifying.send(async () => {
      const body = { phone_number: sentTo ?? "", code: bareCode(code) };
      await answered(client.POST("/v1/auth/phone/verify", { body }));
      await loadWork();
    });
    if (problem) return proof.refuse(problem);
    setSentTo(undefined);
    proof.reset();
  }

  return (
    <Panel aria-labelledby="phone">
      <h2 id="phone">
        <Trans>Phone</Trans>
      </h2>
      {sentTo === undefined ? (
        <form ref={handOn} className={classes.form} onSubmit={form.submit(ask)} noValidate>
          <ProblemNote problem={sending.problem} besideFields />
          <div className={classes.names}>
            <PhoneCountryChoice disabled={locked} {...country} />
            <TextInput
              size="md"
              type="tel"
              inputMode="tel"
              label={t`Phone number`}
              autoComplete="tel-national"
              readOnly={locked}
              {...form.field("phone_number")}
            />
          </div>
          <DoneButton size="md" done={verifying.done} loading={sending.busy} disabled={locked}>
            <Trans>Send a code</Trans>
          </DoneButton>
        </form>
      ) : (
        <form ref={handOn} className={classes.form} onSubmit={proof.submit(verify)} noValidate>
          <p role="status">
            <Trans>
              We sent a code to {shownPhone(sentTo)}. The number counts once the code is right.
            </Trans>
          </p>
          <ProblemNote problem={verifying.problem} besideFields />
          <CodeField autoFocus label={t`Verification code`} {...proof.field("code")} />
          <div className={classes.row}>
            <Button type="submit" size="md" loading={verifying.busy}>
              <Trans>Confirm</Trans>
            </Button>
            <Button variant="default" size="md" onClick={() => setSentTo(undefined)}>
              <Trans>Cancel</Trans>
            </Button>
          </div>
        </form>
      )}
    </Panel>
  );
}
