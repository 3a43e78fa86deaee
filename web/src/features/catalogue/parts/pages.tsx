import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { pageWindow } from "~/shared/ui/page-window";
import { addressOf, type Wanted } from "../address";
import classes from "./pages.module.css";

/** Links to the pages, when there is more than one. */
export function Pages({ wanted, pages }: { wanted: Wanted; pages: number }) {
  const { t } = useLingui();
  const marks = pageWindow(wanted.page, pages);
  if (!marks.length) return null;
  const to = (page: number) => ({ to: "/search", search: addressOf({ ...wanted, page }) }) as const;
  return (
    <nav aria-label={t`Pages`} className={classes.pages}>
      {wanted.page > 1 ? (
        <Link {...to(wanted.page - 1)} rel="prev">
          <Trans>Previous</Trans>
        </Link>
      ) : null}
      <ol>
        {marks.map((mark, place) => (
          <li key={mark === "gap" ? `gap-${place}` : mark}>
            {mark === "gap" ? (
              <span aria-hidden="true">…</span>
            ) : (
              <Link
                {...to(mark)}
                aria-label={t`Page ${mark}`}
                aria-current={mark === wanted.page ? "page" : undefined}
              >
                {mark}
              </Link>
            )}
          </li>
        ))}
      </ol>
      {wanted.page < pages ? (
        <Link {...to(wanted.page + 1)} rel="next">
          <Trans>Next</Trans>
        </Link>
      ) : null}
    </nav>
  );
}
