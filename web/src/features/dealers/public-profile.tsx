import { Trans, useLingui } from "@lingui/react/macro";
import { Checkbox, Textarea, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { answered, client } from "~/shared/api/client";
import { useSend } from "~/shared/api/send";
import { boxed, useFields } from "~/shared/forms/fields";
import {
  type PhoneCountry,
  PhoneCountryChoice,
  phoneCountryOf,
  withPhoneCode,
} from "~/shared/forms/phone-country";
import { shownPhone } from "~/shared/forms/validation";
import { useSiteCountry } from "~/shared/session/site-country";
import { DoneButton } from "~/shared/ui/buttons/done-button";
import { ProblemNote } from "~/shared/ui/notes/note";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "./dealers.module.css";
import { type Dealer, ofDealer } from "./queries";

/** What the dealer locator shows, beside how it would look there. */
export function PublicProfile({ dealer }: { dealer: Dealer }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const sending = useSend();
  const kept = dealer.dealer_profile;
  const form = useFields({
    name: { rules: [], initial: kept.name },
    phone: { rules: ["phone"], initial: kept.phone },
    country: { rules: [], initial: phoneCountryOf(kept.phone, useSiteCountry()) },
    website: { rules: ["url"], initial: kept.website },
    about: { rules: [], initial: kept.about },
    shown: { rules: [], initial: boxed(dealer.is_public_profile) },
    USCA: { rules: [], initial: boxed(kept.USCA) },
    AU: { rules: [], initial: boxed(kept.AU) },
    MX: { rules: [], initial: boxed(kept.MX) },
  });
  const country = form.choice<PhoneCountry>("country");
  const shown = form.box("shown");
  const USCA = form.box("USCA");
  const AU = form.box("AU");
  const MX = form.box("MX");

  async function save({ name, phone, website, about }: typeof form.texts) {
    const body = {
      is_public_profile: shown.checked,
      dealer_profile: {
        name,
        phone: withPhoneCode(country.value, phone),
        website,
        about,
        USCA: USCA.checked,
        AU: AU.checked,
        MX: MX.checked,
      },
    };
    const problem = await sending.send(async (key) => {
      const params = { path: { id: dealer.id } };
      const headers = { "Idempotency-Key": key };
      await answered(client.PATCH("/v1/dealer/{id}", { params, headers, body }));
    }, body);
    if (problem) form.refuse(problem);
    await cache.invalidateQueries({ predicate: ofDealer(dealer.id) });
  }

  return (
    <Panel className={classes.panel} aria-labelledby="profile">
      <h2 id="profile">
        <Trans>Public profile</Trans>
      </h2>
      <form className={classes.panel} onSubmit={form.submit(save)} noValidate>
        <ProblemNote problem={sending.problem} besideFields />
        <Checkbox size="md" label={t`Show this business in the dealer locator`} {...shown} />
        <TextInput size="md" label={t`Name`} maxLength={80} {...form.field("name")} />
        <PhoneCountryChoice {...country} />
        <TextInput
          size="md"
          type="tel"
          label={t`Phone number`}
          maxLength={40}
          {...form.field("phone")}
        />
        <TextInput size="md" label={t`Website`} maxLength={200} {...form.field("website")} />
        <Textarea size="md" label={t`About`} maxLength={600} {...form.field("about")} />
        <fieldset className={classes.actions}>
          <legend>
            <Trans>Shown in</Trans>
          </legend>
          <Checkbox size="md" label={t`United States and Canada`} {...USCA} />
          <Checkbox size="md" label={t`Australia`} {...AU} />
          <Checkbox size="md" label={t`Mexico`} {...MX} />
        </fieldset>
        <DoneButton size="md" done={sending.done} loading={sending.busy}>
          <Trans>Save the profile</Trans>
        </DoneButton>
      </form>
      <h3>
        <Trans>Preview</Trans>
      </h3>
      {shown.checked ? (
        <article className={classes.panel} aria-label={t`Preview`}>
          <strong>{form.texts.name || dealer.name}</strong>
          {form.texts.about ? <p>{form.texts.about}</p> : null}
          {form.texts.phone ? <p>{shownPhone(form.texts.phone)}</p> : null}
          {/^https?:\/\//i.test(form.texts.website) ? <p>{form.texts.website}</p> : null}
        </article>
      ) : (
        <p>
          <Trans>The dealer locator does not show this business.</Trans>
        </p>
      )}
    </Panel>
  );
}
