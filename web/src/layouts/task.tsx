import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { ActingBanner } from "~/features/partners/acting-banner";
import { WrongSite } from "~/features/partners/wrong-site";
import { useBack } from "~/shared/navigation/use-back";
import { askForBusiness, closeBusiness, useAskedForBusiness } from "~/shared/session/ask-business";
import { useSession, workOf } from "~/shared/session/session";
import { useOpener } from "~/shared/ui/dialogs/opener";
import { fetchedDialog } from "~/shared/ui/fetched";
import { BackIcon, MenuIcon } from "~/shared/ui/pictures/icons";
import { Mark } from "~/shared/ui/pictures/mark";
import { TaskBarSlot } from "~/shared/ui/screens/task-bar";
import { Copyright } from "./footer";
import footer from "./footer.module.css";
import layout from "./layout.module.css";
import { PersonMenu } from "./menus/person-menu";
import { AlertBar } from "./notices/alert-bar";
import { CookieBanner } from "./notices/cookie-banner";
import { WaitingForms } from "./notices/waiting-forms";
import classes from "./task.module.css";
import { Viewer } from "./viewer";

const SelectBusiness = fetchedDialog(() => import("~/features/partners/select-business"));
const MobileMenu = fetchedDialog(() => import("./menus/mobile-menu"));

type TaskLayoutProps = {
  /** A purchase: no menu and no person, with the copyright at its foot (shell spec 1). */
  purchase?: boolean;
  children: ReactNode;
};

/**
 * One thing to do, under a bar that says what it is about and how far it is. Everything else is folded into a menu; in a
 * purchase nothing leads away but the logo, Back and the way out of the business that a rep works for.
 */
export function TaskLayout({ purchase = false, children }: TaskLayoutProps) {
  const { t } = useLingui();
  const now = useSession();
  const asked = useAskedForBusiness();
  const { below, button } = useOpener("dialog", true);
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  return (
    <>
      <div className={layout.top}>
        <ActingBanner />
        <header className={layout.bar}>
          <div className={`${layout.inner} ${classes.inner}`}>
            {purchase ? null : (
              <button
                type="button"
                className={`${layout.burger} ${classes.shown}`}
                aria-label={t`Menu`}
                {...button}
              >
                <MenuIcon />
              </button>
            )}
            <Link
              to="/"
              className={`${layout.brand} ${classes.brand}`}
              aria-label={t`Turnkey, to the dashboard`}
            >
              <Mark />
              <span>Turnkey</span>
            </Link>
            <Back />
            <div ref={setSlot} className={classes.slot} />
            {purchase ? null : <WaitingForms />}
            {purchase ? null : now.state === "anonymous" ? (
              <Link to="/login" className={layout.login}>
                <Trans>Login</Trans>
              </Link>
            ) : (
              <PersonMenu user={now.user} work={workOf(now)} onSelectBusiness={askForBusiness} />
            )}
          </div>
        </header>
        <AlertBar />
      </div>
      {below.open ? <MobileMenu {...below} /> : null}
      {asked ? <SelectBusiness {...asked} onClose={closeBusiness} /> : null}
      <TaskBarSlot value={slot}>
        <main
          id="main"
          className={`${layout.main} ${classes.main} ${purchase ? "" : classes.last}`}
          tabIndex={-1}
        >
          {children}
        </main>
      </TaskBarSlot>
      {purchase ? (
        <footer className={footer.footer}>
          <div className={footer.inner}>
            <Copyright />
          </div>
        </footer>
      ) : (
        <>
          <Viewer />
          <WrongSite />
          <CookieBanner />
        </>
      )}
    </>
  );
}

/** One page up or back; a page whose Back is a step puts its own into the bar. */
function Back() {
  const { go } = useBack();
  if (!go) return null;
  return (
    <button type="button" className={`${layout.back} ${classes.back}`} onClick={go}>
      <BackIcon />
      <span>
        <Trans>Back</Trans>
      </span>
    </button>
  );
}
