import { useLingui } from "@lingui/react/macro";
import { useCatalogueLists } from "~/shared/catalogue/lists";
import { CONSTANTS } from "~/shared/constants";
import { FOOT_LINE, footer, isOffered, living, livingGroups } from "~/shared/navigation/links";
import { useSession, workOf } from "~/shared/session/session";
import { siteLabel, useSite } from "~/shared/session/site";
import { NavAnchor } from "~/shared/ui/nav-anchor";
import { Preferences } from "~/shared/ui/preferences";
import classes from "./footer.module.css";

/** The lists, the community, the small print, and the two choices that anybody may make. */
export function Footer() {
  const { t, i18n } = useLingui();
  const site = useSite();
  const { categories, brands } = useCatalogueLists();
  const now = useSession();
  const hasApproved = workOf(now)?.business?.has_approved_brands;
  const groups = livingGroups(footer(categories, brands, hasApproved), site, (to) =>
    isOffered(to, now),
  );
  return (
    <footer className={classes.footer}>
      <div className={classes.inner}>
        <nav aria-label={t`Footer`} className={classes.groups}>
          {groups.map((group) => (
            <div key={group.label.id}>
              <h2>{i18n._(group.label)}</h2>
              <ul>
                {group.links.map((link) => (
                  <li key={typeof link.label === "string" ? link.label : link.label.id}>
                    <NavAnchor link={link} />
                  </li>
                ))}
              </ul>
            </div>
          ))}
          <Preferences />
        </nav>
        <div className={classes.line}>
          <Copyright />
          <ul>
            {living(FOOT_LINE, site).map((link) => (
              <li key={typeof link.label === "string" ? link.label : link.label.id}>
                <NavAnchor link={link} />
              </li>
            ))}
          </ul>
        </div>
      </div>
    </footer>
  );
}

/** The year is the spec's, and stays. */
export function Copyright() {
  return (
    <p>
      © {CONSTANTS.copyrightYear} {siteLabel()}
    </p>
  );
}
