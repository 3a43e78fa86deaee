import { Trans, useLingui } from "@lingui/react/macro";
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useCatalogueLists } from "~/shared/catalogue/lists";
import {
  dropdowns,
  INLINE,
  keyOf,
  living,
  livingGroups,
  type NavLink,
} from "~/shared/navigation/links";
import { useSession, workOf } from "~/shared/session/session";
import { useSite } from "~/shared/session/site";
import { NavAnchor } from "~/shared/ui/buttons/nav-anchor";
import { useOpener } from "~/shared/ui/dialogs/opener";
import { fetchedDialog } from "~/shared/ui/fetched";
import { DownIcon } from "~/shared/ui/pictures/icons";
import classes from "../layout.module.css";

const NavLinks = fetchedDialog(() => import("./nav-links"));

/** The top navigation of wide screens: dropdowns, then the inline links, those that have no room under More. */
export function MainNav() {
  const { t, i18n } = useLingui();
  const site = useSite();
  const { categories, brands } = useCatalogueLists();
  const now = useSession();
  const hasApproved = workOf(now)?.business?.has_approved_brands;
  const groups = livingGroups(dropdowns(categories, brands, hasApproved), site, now);
  const inline = living(INLINE, site, now);
  const row = useRef<HTMLDivElement>(null);
  const room = useRoom(row, `${i18n.locale} ${groups.length} ${inline.length}`);
  const left = inline.slice(Math.max(0, room - groups.length));
  return (
    <nav className={classes.nav} aria-label={t`Main`}>
      <div ref={row} className={classes.row}>
        {groups.map(({ label, links }) => (
          <LinkMenu key={label.id} label={i18n._(label)} links={links} />
        ))}
        {inline.map((link) => (
          <NavAnchor key={keyOf(link)} link={link} data-out={left.includes(link) || undefined} />
        ))}
      </div>
      {left.length > 0 ? <LinkMenu label={<Trans>More</Trans>} links={left} /> : null}
    </nav>
  );
}

function LinkMenu({ label, links }: { label: ReactNode; links: readonly NavLink[] }) {
  const { wanted, below, button } = useOpener("menu");
  return (
    <>
      <button type="button" {...button}>
        {label}
        <DownIcon size={16} />
      </button>
      {wanted ? <NavLinks links={links} {...below} /> : null}
    </>
  );
}

/** How many of a row's parts stand on its first line; what follows is cut off. Measured again when `content` changes. */
function useRoom(row: RefObject<HTMLElement | null>, content: string): number {
  const [room, setRoom] = useState(Number.POSITIVE_INFINITY);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another content has other widths
  useLayoutEffect(() => {
    const { current } = row;
    if (!current) return;
    // Told before the row is painted; to measure here would lay the whole page out once more. What is set there would be
    // drawn after that picture, so it is drawn at once, and again as More takes room of its own.
    const watch = new ResizeObserver(() => {
      flushSync(() => setRoom(roomIn(current)));
      flushSync(() => setRoom(roomIn(current)));
    });
    // What does not change with More: the room that there is, and what wants some.
    for (const part of [current.parentElement, ...current.children]) if (part) watch.observe(part);
    return () => watch.disconnect();
  }, [row, content]);
  return room;
}

function roomIn(row: HTMLElement): number {
  const parts = [...row.children] as HTMLElement[];
  const first = parts[0]?.offsetTop;
  const below = parts.findIndex(({ offsetTop }) => offsetTop !== first);
  return below < 0 ? Number.POSITIVE_INFINITY : below;
}
