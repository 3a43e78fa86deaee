import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { Menu } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { isOffered } from "~/shared/navigation/links";
import { NEEDS_BUSINESS, profileLinks } from "~/shared/navigation/profile-links";
import { type SignedInUser, useSession } from "~/shared/session/session";
import { useSite } from "~/shared/session/site";
import { NavAnchor } from "~/shared/ui/buttons/nav-anchor";
import { Standing, useBelow } from "~/shared/ui/dialogs/below";
import type { Below } from "~/shared/ui/dialogs/opener";
import { type Preference, usePreferences } from "~/shared/ui/fields/preferences";
import classes from "../layout.module.css";
import { askAgain } from "../notices/cookie-banner";
import own from "./person-links.module.css";
import type { PersonMenuProps } from "./person-menu";

const LABELS = {
  "Sales Rep": msg`Sales Rep`,
  Dealer: msg`Dealer`,
  Installer: msg`Installer`,
} satisfies Record<SignedInUser["label"], unknown>;

/** Who is signed in, what is theirs, and the way out. What needs a business first stays in view and says so. */
export default function PersonLinks({
  user,
  work,
  onSelectBusiness,
  ...below
}: PersonMenuProps & Below) {
  const { i18n } = useLingui();
  const { language, look } = usePreferences();
  const site = useSite();
  const now = useSession();
  const links = profileLinks(user, work).filter(({ to }) => isOffered(to, site, now));
  return (
    <Menu {...useBelow(below)} position="bottom-end" width={280} offset={6}>
      <Menu.Target>
        <Standing button={below.button} />
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.who}>
          <strong>
            {user.first_name} {user.last_name}
          </strong>
          <span>{user.email}</span>
          <span>{i18n._(LABELS[user.label])}</span>
        </div>
        {links.map(({ label, to, needsBusiness }) =>
          needsBusiness ? (
            <Menu.Item
              key={to}
              aria-disabled="true"
              data-blocked=""
              onClick={() => onSelectBusiness(below.button.current)}
            >
              {i18n._(label)}
              <small className={classes.why}>{i18n._(NEEDS_BUSINESS)}</small>
            </Menu.Item>
          ) : (
            <Menu.Item
              key={to}
              renderRoot={(props) => <NavAnchor link={{ label, to }} {...props} />}
            />
          ),
        )}
        {user.roles.includes("admin") ? (
          <>
            <Menu.Item renderRoot={(props) => <Link to="/operations" {...props} />}>
              <Trans>Operations</Trans>
            </Menu.Item>
            <Menu.Item renderRoot={(props) => <Link to="/audit" {...props} />}>
              <Trans>Audit</Trans>
            </Menu.Item>
          </>
        ) : null}
        <Menu.Item onClick={askAgain}>
          <Trans>Cookie choice</Trans>
        </Menu.Item>
        <Menu.Item renderRoot={(props) => <Link to="/logout" {...props} />}>
          <Trans>Log out</Trans>
        </Menu.Item>
        <Options of={language} />
        <Options of={look} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** In a line, without closing the menu. */
function Options<Value extends string>({ of }: { of: Preference<Value> }) {
  const { label, value, options, onChange } = of;
  const id = useId();
  function choose(wanted: string) {
    const next = options.find((one) => one.value === wanted);
    if (next) onChange(next.value);
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a menu
    <div role="group" aria-labelledby={id} className={own.options}>
      <Menu.Label id={id}>{label}</Menu.Label>
      <Menu.RadioGroup value={value} onChange={choose}>
        {options.map((one) => (
          <Menu.RadioItem key={one.value} value={one.value}>
            {one.label}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </div>
  );
}
