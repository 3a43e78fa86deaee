import { useLingui } from "@lingui/react/macro";
import { Menu } from "@mantine/core";
import { useCatalogueLists } from "~/shared/catalogue/lists";
import { dropdowns, INLINE, living, livingGroups } from "~/shared/navigation/links";
import { useSession, workOf } from "~/shared/session/session";
import { useSite } from "~/shared/session/site";
import { DownIcon } from "~/shared/ui/icons";
import { NavAnchor } from "~/shared/ui/nav-anchor";
import classes from "./layout.module.css";

/** The top navigation of wide screens: dropdowns, then the inline links. */
export function MainNav() {
  const { t, i18n } = useLingui();
  const site = useSite();
  const { categories, brands } = useCatalogueLists();
  const hasApproved = workOf(useSession())?.business?.has_approved_brands;
  return (
    <nav className={classes.nav} aria-label={t`Main`}>
      {livingGroups(dropdowns(categories, brands, hasApproved), site).map((group) => (
        <Menu key={group.label.id} position="bottom-start" offset={4} width={240}>
          <Menu.Target>
            <button type="button">
              {i18n._(group.label)}
              <DownIcon size={16} />
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            {group.links.map((link) => (
              <Menu.Item
                key={typeof link.label === "string" ? link.label : link.label.id}
                renderRoot={(props) => <NavAnchor link={link} {...props} />}
              />
            ))}
          </Menu.Dropdown>
        </Menu>
      ))}
      {living(INLINE, site).map((link) => (
        <NavAnchor key={typeof link.label === "string" ? link.label : link.label.id} link={link} />
      ))}
    </nav>
  );
}
