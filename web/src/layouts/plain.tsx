import { Trans, useLingui } from "@lingui/react/macro";
import { Link, Outlet, useRouter } from "@tanstack/react-router";
import { pageBefore } from "~/shared/navigation/back";
import { BackIcon } from "~/shared/ui/pictures/icons";
import { Mark } from "~/shared/ui/pictures/mark";
import classes from "./layout.module.css";
import { AlertBar } from "./notices/alert-bar";

/** Pages before a sign-in (no-auth): the brand, possibly a way back, and nothing else to press. */
export function PlainLayout({ backLink = false }: { backLink?: boolean }) {
  const { t } = useLingui();
  const router = useRouter();
  function back() {
    const before = pageBefore(router.state.location);
    if (before) router.history.go(-before.by);
    else void router.navigate({ to: "/login" });
  }
  return (
    <>
      <header className={classes.bar}>
        <div className={classes.inner}>
          <Link to="/" className={classes.brand} aria-label={t`Turnkey, to the dashboard`}>
            <Mark />
            <span>Turnkey</span>
          </Link>
          <span className={classes.gap} />
          {backLink ? (
            <button type="button" className={classes.back} onClick={back}>
              <BackIcon />
              <Trans>Back</Trans>
            </button>
          ) : null}
        </div>
      </header>
      <AlertBar />
      <main id="main" className={classes.main} tabIndex={-1}>
        <Outlet />
      </main>
    </>
  );
}
