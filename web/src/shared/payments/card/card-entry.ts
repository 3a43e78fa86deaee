/** What the provider made of a card that was typed in its own page. */
export type Taken = {
  id: string;
  brand?: string;
  last4?: string;
  expMonth?: number;
  expYear?: number;
};

export type Billing = {
  name: string;
  address: {
    streetAddress1: string;
    streetAddress2: string;
    city: string;
    state: string;
    postalCode: string;
    countryCode: string;
  };
};

/** Sends what was typed to the provider; rejects with its words for a card that it does not take. */
export type Submit = (billing: Billing) => Promise<Taken>;

export type EntryProps = {
  onReady: (submit: Submit) => void;
  /** What the provider says of the number as it is typed; empty when there is nothing to say. */
  onFault: (words: string) => void;
};
