import { useLingui } from "@lingui/react/macro";
import { useCatalogueLists } from "~/shared/catalogue/lists";
import {
  dropdowns,
  FOOT_LINE,
  HOME,
  INLINE,
  living,
  livingGroups,
} from "~/shared/navigation/links";
import { useSession, workOf } from "~/shared/session/session";
import { useSite } from "~/shared/session/site";
import { Dialog } from "~/shared/ui/dialog";
import { NavAnchor } from "~/shared/ui/nav-anchor";
import { Preferences } from "~/shared/ui/preferences";
import classes from "./mobile-menu.module.css";

/** The navigation of narrow screens: everything that the top bar has no room for. */
export default function MobileMenu({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useLingui();
  const site = useSite();
  const { categories, brands } = useCatalogueLists();
  const hasApproved = workOf(useSession())?.business?.has_approved_brands;
  const groups = [
    { key: "inline", title: undefined, links: [HOME, ...living(INLINE, site)] },
    ...livingGroups(dropdowns(categories, brands, hasApproved), site).map((group) => ({
      key: group.label.id,
      title: i18n._(group.label),
      links: group.links,
    })),
    { key: "foot", title: undefined, links: living(FOOT_LINE, site) },
  ];
  return (
    <Dialog fullScreen onClose={onClose} title={t`Menu`}>
      <nav aria-label={t`Main`} className={classes.menu}>
        {groups.map(({ key, title, links }) => (
          <div key={key}>
            {title ? <h2>{title}</h2> : null}
            <ul>
              {links.map((link) => (
                <li key={typeof link.label === "string" ? link.label : link.label.id}>
                  <NavAnchor link={link} onClick={onClose} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <Preferences />
    </Dialog>
  );
}
