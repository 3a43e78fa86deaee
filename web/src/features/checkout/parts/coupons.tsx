import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import type { KeyboardEvent } from "react";
import type { Schemas } from "~/shared/api/client";
import type { Problem } from "~/shared/api/errors";
import { dollars } from "~/shared/catalogue/money";
import { capitals, useFields } from "~/shared/forms/fields";
import { Note } from "~/shared/ui/notes/note";
import { Panel } from "~/shared/ui/screens/panel";
import classes from "../checkout.module.css";

type Offer = Schemas["CouponsOut"];
type Unmet = Schemas["CouponUnmetOut"];

type CouponsProps = {
  coupons: Offer;
  disabled: boolean;
  /** An empty code takes the entered one away. Answers why it could not be sent, or nothing. */
  onEnter: (code: string) => Promise<Problem | undefined>;
};

/** The coupon that is taken, what speaks against the one that was entered, and what a better one still needs. */
export function Coupons({ coupons, disabled, onEnter }: CouponsProps) {
  const { t, i18n } = useLingui();
  const form = useFields({ code: { rules: [], shape: capitals } }, { leavable: true });
  const { entered, taken, refused, near } = coupons;
  const typed = form.texts.code.trim();

  async function enter() {
    if (!typed) return;
    const refused = await onEnter(typed);
    if (!refused) form.reset();
  }

  // A form of its own inside that of the checkout is not allowed, so Enter is heard here.
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Enter") return;
    event.preventDefault();
    void enter();
  }

  return (
    <Panel className={classes.part} aria-label={t`Coupon`}>
      <h2>
        <Trans>Coupon</Trans>
      </h2>
      {refused ? (
        <Note tone="wait">
          <Refused unmet={refused} />
        </Note>
      ) : null}
      {taken ? (
        <p role="status">
          <strong>{taken.code}</strong> <span lang="en">{taken.description}</span>:{" "}
          {dollars(i18n, -taken.amount.amount)}
        </p>
      ) : null}
      {near ? (
        <p className={classes.soft}>
          <Trans>
            {dollars(i18n, near.missing.amount)} more for {near.code}:
          </Trans>{" "}
          <span lang="en">{near.description}</span>
        </p>
      ) : null}
      <TextInput
        size="md"
        label={t`Coupon code`}
        maxLength={40}
        autoComplete="off"
        disabled={disabled}
        {...form.field("code")}
        onKeyDown={onKeyDown}
      />
      <Button
        variant="default"
        size="md"
        disabled={disabled || !typed}
        onClick={() => void enter()}
      >
        <Trans>Use the code</Trans>
      </Button>
      {entered ? (
        <Button variant="subtle" size="md" disabled={disabled} onClick={() => void onEnter("")}>
          <Trans>Take {entered} away</Trans>
        </Button>
      ) : null}
    </Panel>
  );
}

function Refused({ unmet: { code, fault, missing } }: { unmet: Unmet }) {
  const { i18n } = useLingui();
  switch (fault) {
    case "not_usable":
      return <Trans>The code {code} cannot be used now.</Trans>;
    case "no_such_goods":
      return <Trans>Nothing in the cart is of the kind that {code} is for.</Trans>;
    case "below_least":
      return (
        <Trans>
          {code} needs {dollars(i18n, missing.amount)} more of the goods that it is for.
        </Trans>
      );
  }
}
