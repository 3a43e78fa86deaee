import { Trans, useLingui } from "@lingui/react/macro";
import { useEffect, useId, useRef, useState } from "react";
import { useCatalogueLists } from "~/shared/catalogue/lists";
import { CONSTANTS } from "~/shared/constants";
import { FOOT_LINE, footer, living, livingGroups } from "~/shared/navigation/links";
import { useSession, workOf } from "~/shared/session/session";
import { useSite, useSiteLabel } from "~/shared/session/site";
import { NavAnchor } from "~/shared/ui/buttons/nav-anchor";
import { Preferences } from "~/shared/ui/fields/preferences";
import { DownIcon } from "~/shared/ui/pictures/icons";
import classes from "./footer.module.css";
import { askAgain } from "./notices/cookie-banner";

/** The lists, the community, the small print, and the two choices that anybody may make. */
export function Footer() {
  return useSession().state === "anonymous" ? <Whole /> : <Folded />;
}

/** For visitors, who look round. */
function Whole() {
  const { t } = useLingui();
  return (
    <footer className={classes.footer}>
      <div className={classes.inner}>
        <nav aria-label={t`Footer`} className={classes.groups}>
          <Lists />
          <Preferences />
        </nav>
        <div className={classes.line}>
          <Copyright />
          <SmallPrint />
          <button type="button" className={classes.choice} onClick={askAgain}>
            <Trans>Cookie choice</Trans>
          </button>
        </div>
      </div>
    </footer>
  );
}

/** For people at work: one line; a press opens the lists. */
function Folded() {
  const { t } = useLingui();
  const id = useId();
  const [open, setOpen] = useState(false);
  const lists = useRef<HTMLElement>(null);
  useEffect(() => {
    if (open) lists.current?.scrollIntoView({ block: "nearest" });
  }, [open]);
  return (
    <footer className={classes.footer}>
      <div className={`${classes.inner} ${classes.folded}`}>
        <div className={classes.one}>
          <button
            type="button"
            aria-expanded={open}
            aria-controls={id}
            onClick={() => setOpen(!open)}
          >
            <Trans>All links</Trans>
            <DownIcon />
          </button>
          <Preferences inline />
          <SmallPrint />
          <Copyright />
        </div>
        <nav
          ref={lists}
          id={id}
          hidden={!open}
          aria-label={t`Footer`}
          className={`${classes.groups} ${classes.opened}`}
        >
          <Lists />
        </nav>
      </div>
    </footer>
  );
}

function Lists() {
  const { i18n } = useLingui();
  const site = useSite();
  const { categories, brands } = useCatalogueLists();
  const now = useSession();
  const hasApproved = workOf(now)?.business?.has_approved_brands;
  const groups = livingGroups(footer(categories, brands, hasApproved), site, now);
  return groups.map((group) => (
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
  ));
}

function SmallPrint() {
  const site = useSite();
  const now = useSession();
  return (
    <ul>
      {living(FOOT_LINE, site, now).map((link) => (
        <li key={typeof link.label === "string" ? link.label : link.label.id}>
          <NavAnchor link={link} />
        </li>
      ))}
    </ul>
  );
}

/** The year is the spec's, and stays. */
export function Copyright() {
  return (
    <p>
      © {CONSTANTS.copyrightYear} {useSiteLabel()}
    </p>
  );
}
