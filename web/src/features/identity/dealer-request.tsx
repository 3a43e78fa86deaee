import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Textarea, TextInput } from "@mantine/core";
import { answered, client } from "~/shared/api/client";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { NameFields } from "~/shared/forms/name-fields";
import { type PhoneCountry, PhoneCountryChoice, withPhoneCode } from "~/shared/forms/phone-country";
import { useSiteCountry } from "~/shared/session/site-country";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Card } from "./card";
import classes from "./sign-in/sign-in-form.module.css";

/** The request to become a dealer, to the people who open dealer accounts. */
export function DealerRequestScreen() {
  const { t } = useLingui();
  const sending = useSend();
  const form = useFields({
    company_name: { rules: ["required", "no_card_number"] },
    first_name: { rules: ["required", "name"] },
    last_name: { rules: ["required", "name"] },
    email: { rules: ["required", "email"] },
    phone_number: { rules: ["required", "phone"] },
    message: { rules: [] },
    country: { rules: [], initial: useSiteCountry() },
  });
  const country = form.choice<PhoneCountry>("country");

  async function submit(texts: typeof form.texts) {
    const { phone_number, ...others } = texts;
    const body = {
      ...others,
      country: country.value,
      phone_number: withPhoneCode(country.value, phone_number),
    };
    const problem = await sending.send(() =>
      answered(client.POST("/v1/auth/dealer-request", { body })),
    );
    if (problem) form.refuse(problem);
    else form.reset();
  }

  if (sending.done) {
    return (
      <Card
        focusKey="sent"
        title={<Trans>Thank you</Trans>}
        lead={<Trans>Your request is with us. We answer by mail within two working days.</Trans>}
      />
    );
  }
  return (
    <Card
      title={<Trans>Dealer Request</Trans>}
      lead={<Trans>Tell us about your business, and we open an account for it.</Trans>}
    >
      <form className={classes.form} onSubmit={form.submit(submit)} noValidate>
        <ProblemNote problem={sending.problem} besideFields />
        <TextInput
          size="md"
          label={t`Company name`}
          autoComplete="organization"
          maxLength={120}
          {...form.field("company_name")}
        />
        <NameFields form={form} />
        <TextInput
          size="md"
          type="email"
          label={t`Email`}
          autoComplete="email"
          {...form.field("email")}
        />
        <PhoneCountryChoice {...country} />
        <TextInput
          size="md"
          type="tel"
          label={t`Phone number`}
          autoComplete="tel-national"
          {...form.field("phone_number")}
        />
        <Textarea
          size="md"
          label={t`Message, optional`}
          rows={4}
          maxLength={4000}
          {...form.field("message")}
        />
        <Button type="submit" size="lg" fullWidth loading={sending.busy}>
          <Trans>Send the request</Trans>
        </Button>
      </form>
    </Card>
  );
}
