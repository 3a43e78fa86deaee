import { useLingui } from "@lingui/react/macro";
import { Link, Outlet } from "@tanstack/react-router";
import { Mark } from "~/shared/ui/mark";
import classes from "./layout.module.css";

/** Sign-in pages: the brand and nothing else to press. */
export function PlainLayout() {
  const { t } = useLingui();
  return (
    <>
      <header className={classes.bar}>
        <div className={classes.inner}>
          <Link to="/" className={classes.brand} aria-label={t`Turnkey, to the dashboard`}>
            <Mark />
            <span>Turnkey</span>
          </Link>
        </div>
      </header>
      <main id="main" className={classes.main} tabIndex={-1}>
        <Outlet />
      </main>
    </>
  );
}
