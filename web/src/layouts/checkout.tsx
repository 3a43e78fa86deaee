import { Trans, useLingui } from "@lingui/react/macro";
import { Link, useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { askForBusiness, useAskedForBusiness } from "~/shared/session/ask-business";
import { fetchedDialog } from "~/shared/ui/fetched";
import { BackIcon } from "~/shared/ui/icons";
import { Mark } from "~/shared/ui/mark";
import { AlertBar } from "./alert-bar";
import { Copyright } from "./footer";
import footer from "./footer.module.css";
import classes from "./layout.module.css";

const SelectBusiness = fetchedDialog(() => import("~/features/partners/select-business"));

/** Nothing that leads away from a purchase but the logo and, on narrow screens, Back. */
export function CheckoutLayout({ children }: { children: ReactNode }) {
  const { t } = useLingui();
  const router = useRouter();
  const asked = useAskedForBusiness();
  return (
    <>
      <header className={classes.bar}>
        <div className={classes.inner}>
          <Link to="/" className={classes.brand} aria-label={t`Turnkey, to the dashboard`}>
            <Mark />
            <span>Turnkey</span>
          </Link>
          <span className={classes.gap} />
          <button
            type="button"
            className={`${classes.back} ${classes.narrowOnly}`}
            onClick={() => router.history.back()}
          >
            <BackIcon />
            <Trans>Back</Trans>
          </button>
        </div>
      </header>
      {asked ? <SelectBusiness onClose={() => askForBusiness(false)} /> : null}
      <AlertBar />
      <main id="main" className={classes.main} tabIndex={-1}>
        {children}
      </main>
      <footer className={footer.footer}>
        <div className={footer.inner}>
          <Copyright />
        </div>
      </footer>
    </>
  );
}
