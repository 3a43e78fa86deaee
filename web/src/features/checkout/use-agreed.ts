import { useState } from "react";
import { type Changes, changesBetween } from "./changes";
import type { Quote } from "./types";

/** `isOpen`: something has changed that the buyer has not said yes to. */
type Seen = { quote: Quote; rev: number; isOpen: boolean };

type Standing = {
  /** What is on the page. */
  shown: Quote | undefined;
  /** It is the quote of this cart; no other one is on its way. */
  isFresh: boolean;
  /** The cart's. */
  rev: number;
  /** The cart's after the last choice on this page. */
  ownRev: number | undefined;
};

/** What has changed since the buyer said yes, which is at first what they see first. The total that their own choice makes needs
 * none; one that came otherwise does, and is not lost in a choice that is made before it. */
export function useAgreed({ shown, isFresh, rev, ownRev }: Standing): {
  changes: Changes | undefined;
  /** To what is on the page, once it is of this cart. */
  agree: () => void;
} {
  const [seen, setSeen] = useState<Seen>();
  const now = shown && isFresh ? looked(seen, shown, rev, ownRev) : seen;
  if (now !== seen) setSeen(now);
  return {
    changes: shown && seen && changesBetween(seen.quote, shown),
    agree: () => shown && isFresh && setSeen({ quote: shown, rev, isOpen: false }),
  };
}

function looked(seen: Seen | undefined, shown: Quote, rev: number, ownRev?: number): Seen {
  if (!seen) return { quote: shown, rev, isOpen: false };
  const isOwn = rev !== seen.rev && rev === ownRev && !seen.isOpen;
  const quote = isOwn ? { ...seen.quote, total: shown.total } : seen.quote;
  const isOpen = changesBetween(quote, shown) !== undefined;
  return rev === seen.rev && isOpen === seen.isOpen ? seen : { quote, rev, isOpen };
}
