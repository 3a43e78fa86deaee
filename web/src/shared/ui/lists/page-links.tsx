import { Trans, useLingui } from "@lingui/react/macro";
import type { ReactNode } from "react";
import classes from "./page-links.module.css";
import { pageWindow } from "./page-window";

/** What a link to a page carries, besides where it leads. */
type PageLinkProps = {
  rel?: "prev" | "next";
  "aria-label"?: string;
  "aria-current"?: "page";
  activeOptions: typeof EXACT;
  children: ReactNode;
};

type PageLinksProps = {
  present: number;
  pages: number;
  link: (page: number, props: PageLinkProps) => ReactNode;
};

/** Else the router takes every page of the list for a part of the first, whose address names none. */
const EXACT = { exact: true } as const;

/** Links to the pages of a list, when there is more than one. */
export function PageLinks({ present, pages, link }: PageLinksProps) {
  const { t } = useLingui();
  const marks = pageWindow(present, pages);
  if (!marks.length) return null;
  return (
    <nav aria-label={t`Pages`} className={classes.pages}>
      {present > 1
        ? link(present - 1, {
            rel: "prev",
            activeOptions: EXACT,
            children: <Trans>Previous</Trans>,
          })
        : null}
      <ol>
        {marks.map((mark, place) => (
          <li key={mark === "gap" ? `gap-${place}` : mark}>
            {mark === "gap" ? (
              <span aria-hidden="true">…</span>
            ) : (
              link(mark, {
                "aria-label": t`Page ${mark}`,
                "aria-current": mark === present ? "page" : undefined,
                activeOptions: EXACT,
                children: mark,
              })
            )}
          </li>
        ))}
      </ol>
      {present < pages
        ? link(present + 1, {
            rel: "next",
            activeOptions: EXACT,
            children: <Trans>Next</Trans>,
          })
        : null}
    </nav>
  );
}
