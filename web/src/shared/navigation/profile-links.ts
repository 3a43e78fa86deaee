import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { SignedInUser, Work } from "~/shared/session/session";

type ProfileLink = { label: MessageDescriptor; to: string; needsBusiness: boolean };

/** Why a link of the profile menu cannot be used yet. */
export const NEEDS_BUSINESS = msg`disabled until business selected`;

/**
 * The links of the profile menu (shell spec 6). A rep without a business sees what hangs on one, switched off; an
 * outside rep with one loses what is personal to the dealer.
 */
export function profileLinks(user: SignedInUser, work: Work | undefined): ProfileLink[] {
  const rep = user.is_sales_rep;
  const chosen = Boolean(work?.business);
  const outsideActing = user.is_outside_rep && chosen;
  const link = (label: MessageDescriptor, to: string, hangsOnBusiness = true): ProfileLink => ({
    label,
    to,
    needsBusiness: rep && hangsOnBusiness && !chosen,
  });
  const ownsOrActs = user.is_owner || rep;
  return [
    ...(rep || user.purchasing_rights ? [link(msg`My Orders`, "/my-orders")] : []),
    ...(outsideActing ? [] : [link(msg`My Profile`, "/profile", false)]),
    ...(ownsOrActs && !outsideActing && !user.is_retired
      ? [link(msg`My Business`, "/my-business")]
      : []),
    ...(outsideActing ? [] : [link(msg`Rewards`, "/rewards")]),
    ...(ownsOrActs ? [link(msg`Billing`, "/billing")] : []),
  ];
}
