import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { useCatalogueLists } from "~/shared/catalogue/lists";
import {
  dropdowns,
  FOOT_LINE,
  HOME,
  INLINE,
  isOffered,
  keyOf,
  living,
  livingGroups,
  type NavLink,
} from "~/shared/navigation/links";
import { NEEDS_BUSINESS, profileLinks } from "~/shared/navigation/profile-links";
import { askForBusiness } from "~/shared/session/ask-business";
import { useSession, workOf } from "~/shared/session/session";
import { useSite } from "~/shared/session/site";
import { NavAnchor } from "~/shared/ui/buttons/nav-anchor";
import { Dialog } from "~/shared/ui/dialogs/dialog";
import { Preferences } from "~/shared/ui/fields/preferences";
import { DownIcon } from "~/shared/ui/pictures/icons";
import { askAgain } from "../notices/cookie-banner";
import classes from "./mobile-menu.module.css";

const ADMINISTRATORS: readonly NavLink[] = [
  { label: msg`Operations`, to: "/operations" },
  { label: msg`Audit`, to: "/audit" },
];

/** The navigation of narrow screens: what is the person's own first, then all that the top bar has no room for, folded. */
export default function MobileMenu({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const site = useSite();
  const now = useSession();
  const { categories, brands } = useCatalogueLists();
  const hasApproved = workOf(now)?.business?.has_approved_brands;
  const groups = livingGroups(dropdowns(categories, brands, hasApproved), site, now);
  return (
    <Dialog fullScreen onClose={onClose} title={t`Menu`}>
      <nav aria-label={t`Main`} className={classes.menu}>
        <Own onClose={onClose} />
        <Links links={[HOME, ...living(INLINE, site, now)]} onClose={onClose} />
        {groups.map(({ label, links }) => (
          <Folded key={label.id} label={label} links={links} onClose={onClose} />
        ))}
        <Links links={living(FOOT_LINE, site, now)} onClose={onClose} />
        <button
          type="button"
          onClick={() => {
            onClose();
            askAgain();
          }}
        >
          <Trans>Cookie choice</Trans>
        </button>
      </nav>
      <Preferences />
    </Dialog>
  );
}

/** What the person's menu has on wide screens; what needs a business first asks for one. */
function Own({ onClose }: { onClose: () => void }) {
  const { i18n } = useLingui();
  const site = useSite();
  const now = useSession();
  if (now.state === "anonymous") return null;
  const links = profileLinks(now.user, workOf(now)).filter(({ to }) => isOffered(to, site, now));
  return (
    <ul>
      {links.map(({ label, to, needsBusiness }) => {
        if (needsBusiness)
          return (
            <li key={to}>
              <button
                type="button"
                onClick={() => {
                  onClose();
                  askForBusiness();
                }}
              >
                {i18n._(label)}
                <small>{i18n._(NEEDS_BUSINESS)}</small>
              </button>
            </li>
          );
        return (
          <li key={to}>
            <NavAnchor link={{ label, to }} onClick={onClose} />
          </li>
        );
      })}
      {living(ADMINISTRATORS, site, now).map((link) => (
        <li key={keyOf(link)}>
          <NavAnchor link={link} onClick={onClose} />
        </li>
      ))}
      <li>
        <NavAnchor link={{ label: msg`Log out`, to: "/logout" }} onClick={onClose} />
      </li>
    </ul>
  );
}

type LinksProps = { links: readonly NavLink[]; onClose: () => void };

/** Closed until it is pressed. */
function Folded({ label, ...rest }: LinksProps & { label: MessageDescriptor }) {
  const { i18n } = useLingui();
  return (
    <details>
      <summary>
        {i18n._(label)}
        <DownIcon />
      </summary>
      <Links {...rest} />
    </details>
  );
}

function Links({ links, onClose }: LinksProps) {
  return (
    <ul>
      {links.map((link) => (
        <li key={keyOf(link)}>
          <NavAnchor link={link} onClick={onClose} />
        </li>
      ))}
    </ul>
  );
}
