import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { handOn } from "~/shared/ui/hand-on";
import { Note } from "~/shared/ui/notes/note";
import type { Billing, EntryProps, Taken } from "./card-entry";
import classes from "./card-frame.module.css";

/** The little that is used of Stripe's own script. */
type CardElement = {
  mount: (place: HTMLElement) => void;
  destroy: () => void;
  on: (event: "ready" | "change", run: (said: { error?: { message: string } }) => void) => void;
};
type Stripe = {
  elements: (options: { locale: string }) => {
    create: (kind: "card", options: object) => CardElement;
  };
  createPaymentMethod: (wanted: object) => Promise<{
    paymentMethod?: {
      id: string;
      card: { brand: string; last4: string; exp_month: number; exp_year: number };
    };
    error?: { message: string };
  }>;
};

declare global {
  interface Window {
    Stripe?: (publicKey: string) => Stripe;
  }
}

const SCRIPT = "https://js.stripe.com/v3/";

/** The fields of the real provider, by its own script: they are frames of its origin, too. */
export function StripeElement({ publicKey, onReady, onFault }: EntryProps & { publicKey: string }) {
  const { i18n } = useLingui();
  const place = useRef<HTMLDivElement>(null);
  const told = useRef({ onReady, onFault });
  told.current = { onReady, onFault };
  const locale = i18n.locale;
  const [tried, setTried] = useState(0);
  const [lost, setLost] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another try fetches the script again
  useEffect(() => {
    let card: CardElement | undefined;
    let gone = false;
    void stripe(publicKey).then(
      (provider) => {
        if (gone || !place.current) return;
        card = provider.elements({ locale }).create("card", { hidePostalCode: true });
        card.on("ready", () =>
          told.current.onReady((billing) => taken(provider, card as CardElement, billing)),
        );
        card.on("change", ({ error }) => told.current.onFault(error?.message ?? ""));
        card.mount(place.current);
      },
      () => {
        if (!gone) setLost(true);
      },
    );
    return () => {
      gone = true;
      card?.destroy();
    };
  }, [publicKey, locale, tried]);

  function again() {
    setLost(false);
    setTried(tried + 1);
  }

  if (lost)
    return (
      <Note
        tone="fail"
        action={
          <Button ref={handOn} variant="default" onClick={again}>
            <Trans>Try again</Trans>
          </Button>
        }
      >
        <Trans>The card form could not be loaded.</Trans>
      </Note>
    );
  return <div ref={place} className={classes.element} />;
}

async function stripe(publicKey: string): Promise<Stripe> {
  if (!window.Stripe) await load();
  if (!window.Stripe) throw new Error(`${SCRIPT} has no Stripe`);
  return window.Stripe(publicKey);
}

function load(): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = SCRIPT;
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove();
      reject(new Error(`${SCRIPT} was not loaded`));
    };
    document.head.append(script);
  });
}

async function taken(provider: Stripe, card: CardElement, billing: Billing): Promise<Taken> {
  const { name, address } = billing;
  const { paymentMethod, error } = await provider.createPaymentMethod({
    type: "card",
    card,
    billing_details: {
      name,
      address: {
        line1: address.streetAddress1,
        line2: address.streetAddress2,
        city: address.city,
        state: address.state,
        postal_code: address.postalCode,
        country: address.countryCode,
      },
    },
  });
  if (!paymentMethod) throw new Error(error?.message ?? "");
  const { brand, last4, exp_month, exp_year } = paymentMethod.card;
  return { id: paymentMethod.id, brand, last4, expMonth: exp_month, expYear: exp_year };
}
