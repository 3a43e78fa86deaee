import { Outlet } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ActingBanner } from "~/features/partners/acting-banner";
import { WrongSite } from "~/features/partners/wrong-site";
import { fetched } from "~/shared/ui/fetched";
import { Breadcrumbs } from "./breadcrumbs";
import { Footer } from "./footer";
import classes from "./layout.module.css";
import { TopBar } from "./menus/top-bar";
import { AlertBar } from "./notices/alert-bar";
import { CookieBanner } from "./notices/cookie-banner";
import { Viewer } from "./viewer";

const TopSearch = fetched(() => import("~/features/catalogue/top-search"));

type DefaultLayoutProps = {
  /** With the prompt of the other site, and the cookie banner unasked: the dynamic-auth layout. */
  dynamic?: boolean;
  children?: ReactNode;
};

/** Full navigation and footer round a page, or round `children` where no route has one. */
export function DefaultLayout({ dynamic = false, children }: DefaultLayoutProps) {
  return (
    <>
      <div className={classes.top}>
        <ActingBanner />
        <TopBar />
        <AlertBar />
      </div>
      <div className={classes.search}>
        <TopSearch />
      </div>
      <Breadcrumbs />
      <main id="main" className={classes.main} tabIndex={-1}>
        {children ?? <Outlet />}
      </main>
      <Footer />
      <Viewer />
      {dynamic ? <WrongSite /> : null}
      <CookieBanner asks={dynamic} />
    </>
  );
}
