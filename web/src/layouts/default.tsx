import { Trans, useLingui } from "@lingui/react/macro";
import { Link, Outlet } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useSession } from "~/shared/session/session";
import { siteLabel } from "~/shared/session/site";
import { Mark } from "~/shared/ui/mark";
import { Preferences } from "~/shared/ui/preferences";
import classes from "./layout.module.css";
import { PersonMenu } from "./person-menu";

/** Full navigation and footer round a page, or round `children` where no route has one. */
export function DefaultLayout({ children }: { children?: ReactNode }) {
  const { t } = useLingui();
  const present = useSession();
  return (
    <>
      <header className={classes.bar}>
        <div className={classes.inner}>
          <Link to="/" className={classes.brand} aria-label={t`Turnkey, to the dashboard`}>
            <Mark />
            <span>Turnkey</span>
          </Link>
          <nav className={classes.nav} aria-label={t`Main`}>
            <Link to="/activation">
              <Trans>Activate</Trans>
            </Link>
          </nav>
          {present.state === "anonymous" ? (
            <Link to="/login" className={classes.login}>
              <Trans>Login</Trans>
            </Link>
          ) : (
            <PersonMenu user={present.user} />
          )}
        </div>
      </header>
      <main id="main" className={classes.main} tabIndex={-1}>
        {children ?? <Outlet />}
      </main>
      <footer className={classes.footer}>
        <p>© 2021 {siteLabel()}</p>
        <Preferences />
      </footer>
    </>
  );
}
