import { Trans, useLingui } from "@lingui/react/macro";
import { Checkbox, Textarea, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { answered, client } from "~/shared/api/client";
import { useSend } from "~/shared/api/send";
import { useFields } from "~/shared/forms/fields";
import { DoneButton } from "~/shared/ui/done-button";
import { ProblemNote } from "~/shared/ui/note";
import { Panel } from "~/shared/ui/panel";
import classes from "./dealers.module.css";
import { type Dealer, ofDealer } from "./queries";

/** What the dealer locator shows, beside how it would look there. */
export function PublicProfile({ dealer }: { dealer: Dealer }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const sending = useSend();
  const kept = dealer.dealer_profile;
  const [isPublic, setPublic] = useState(dealer.is_public_profile);
  const [USCA, setUSCA] = useState(kept.USCA);
  const [AU, setAU] = useState(kept.AU);
  const [MX, setMX] = useState(kept.MX);
  const form = useFields({
    name: { rules: [], initial: kept.name },
    phone: { rules: [], initial: kept.phone },
    website: { rules: ["url"], initial: kept.website },
    about: { rules: [], initial: kept.about },
  });

  async function save(texts: typeof form.texts) {
    const body = { is_public_profile: isPublic, dealer_profile: { ...texts, USCA, AU, MX } };
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
        <Checkbox
          size="md"
          label={t`Show this business in the dealer locator`}
          checked={isPublic}
          onChange={(event) => setPublic(event.currentTarget.checked)}
        />
        <TextInput size="md" label={t`Name`} maxLength={80} {...form.field("name")} />
        <TextInput size="md" label={t`Phone number`} maxLength={40} {...form.field("phone")} />
        <TextInput size="md" label={t`Website`} maxLength={200} {...form.field("website")} />
        <Textarea size="md" label={t`About`} maxLength={600} {...form.field("about")} />
        <fieldset className={classes.actions}>
          <legend>
            <Trans>Shown in</Trans>
          </legend>
          <Checkbox
            size="md"
            label={t`United States and Canada`}
            checked={USCA}
            onChange={(event) => setUSCA(event.currentTarget.checked)}
          />
          <Checkbox
            size="md"
            label={t`Australia`}
            checked={AU}
            onChange={(event) => setAU(event.currentTarget.checked)}
          />
          <Checkbox
            size="md"
            label={t`Mexico`}
            checked={MX}
            onChange={(event) => setMX(event.currentTarget.checked)}
          />
        </fieldset>
        <DoneButton size="md" done={sending.done} loading={sending.busy}>
          <Trans>Save the profile</Trans>
        </DoneButton>
      </form>
      <h3>
        <Trans>Preview</Trans>
      </h3>
      {isPublic ? (
        <article className={classes.panel} aria-label={t`Preview`}>
          <strong>{form.texts.name || dealer.name}</strong>
          {form.texts.about ? <p>{form.texts.about}</p> : null}
          {form.texts.phone ? <p>{form.texts.phone}</p> : null}
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
