import { Trans, useLingui } from "@lingui/react/macro";
import { useMediaQuery } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import { CartLink } from "~/shared/cart/cart-link";
import { takeWaiting } from "~/shared/cart/waiting";
import { askForBusiness, closeBusiness, useAskedForBusiness } from "~/shared/session/ask-business";
import { useSession, workOf } from "~/shared/session/session";
import { useOpener } from "~/shared/ui/dialogs/opener";
import { fetchedDialog } from "~/shared/ui/fetched";
import { MenuIcon, SearchIcon } from "~/shared/ui/pictures/icons";
import { Mark } from "~/shared/ui/pictures/mark";
import classes from "../layout.module.css";
import { WaitingForms } from "../notices/waiting-forms";
import { openPalette } from "../palette/palette";
import { MainNav } from "./main-nav";
import { PersonMenu } from "./person-menu";

const SelectBusiness = fetchedDialog(() => import("~/features/partners/select-business"));
const MobileMenu = fetchedDialog(() => import("./mobile-menu"));

/** Where the bar has no room for the navigation, as in layout.module.css. */
const NARROW = "(max-width: 1259px)";

/** Logo, navigation, the business of those who must pick one, and the person or a way in. */
export function TopBar() {
  const { t } = useLingui();
  const now = useSession();
  const work = workOf(now);
  const { below, button } = useOpener("dialog", true);
  const asked = useAskedForBusiness();
  const narrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });

  // What waited for the choice is in the cart by now, or the choice was not made.
  function closeChoice() {
    closeBusiness();
    takeWaiting();
  }

  return (
    <header className={classes.bar}>
      <div className={classes.inner}>
        <button type="button" className={classes.burger} aria-label={t`Menu`} {...button}>
          <MenuIcon />
        </button>
        <Link to="/" className={classes.brand} aria-label={t`Turnkey, to the dashboard`}>
          <Mark />
          <span>Turnkey</span>
        </Link>
        {narrow ? null : <MainNav />}
        <span className={classes.gap} />
        {now.state === "signed-in" && work?.must_choose ? (
          <button
            type="button"
            className={classes.business}
            aria-haspopup="dialog"
            onClick={({ currentTarget }) => askForBusiness(currentTarget)}
          >
            <span>{work.business?.company_name ?? <Trans>Select Business</Trans>}</span>
          </button>
        ) : null}
        <button
          type="button"
          className={classes.find}
          aria-label={t`Find anything`}
          aria-haspopup="dialog"
          onClick={({ currentTarget }) => openPalette(currentTarget)}
        >
          <SearchIcon />
        </button>
        <WaitingForms />
        <CartLink />
        {now.state === "anonymous" ? (
          <Link to="/login" className={classes.login}>
            <Trans>Login</Trans>
          </Link>
        ) : (
          <PersonMenu user={now.user} work={work} onSelectBusiness={askForBusiness} />
        )}
      </div>
      {below.open ? <MobileMenu {...below} /> : null}
      {asked ? <SelectBusiness {...asked} onClose={closeChoice} /> : null}
    </header>
  );
}
