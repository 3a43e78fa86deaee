import { Skeleton } from "@mantine/core";
import type { EntryProps } from "./card-entry";
import classes from "./card-frame.module.css";
import { ProviderFrame } from "./provider-frame";
import { StripeElement } from "./stripe-element";

type CardEntryFieldProps = EntryProps & {
  /** The provider's public key, and where its page is; null for its own script. Nothing until they are known. */
  provider: { publicKey: string; frameUrl: string | null } | undefined;
  busy: boolean;
};

/** Where a card is typed: in the provider's own frame, so that its number never comes here. */
export function CardEntryField({ provider, busy, ...entry }: CardEntryFieldProps) {
  return (
    <div className={classes.entry} aria-busy={busy}>
      {provider ? null : <Skeleton height={180} />}
      {provider?.frameUrl ? (
        <ProviderFrame url={provider.frameUrl} publicKey={provider.publicKey} {...entry} />
      ) : null}
      {provider && !provider.frameUrl ? (
        <StripeElement publicKey={provider.publicKey} {...entry} />
      ) : null}
    </div>
  );
}
