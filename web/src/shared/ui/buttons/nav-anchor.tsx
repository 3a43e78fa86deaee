import { useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import type { ComponentProps } from "react";
import type { NavLink } from "~/shared/navigation/links";
import { useSite } from "~/shared/session/site";

type NavAnchorProps = { link: NavLink } & Omit<ComponentProps<"a">, "href" | "children">;

/** A link of a menu: to a screen of ours, or to another site in a tab of its own. */
export function NavAnchor({ link, ...rest }: NavAnchorProps) {
  const { t, i18n } = useLingui();
  const site = useSite();
  const label = typeof link.label === "string" ? link.label : i18n._(link.label);
  if ("outside" in link) {
    return (
      <a {...rest} href={site?.links[link.outside]} target="_blank" rel="noopener noreferrer">
        {label} <span className="quiet">{t`(opens a new tab)`}</span>
      </a>
    );
  }
  return (
    // The registry's paths are those of the routes; a test walks both.
    <Link {...rest} to={link.to as "/"} search={(link.search ?? {}) as never}>
      {label}
    </Link>
  );
}
