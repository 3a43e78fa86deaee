import { Trans } from "@lingui/react/macro";
import { Menu } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { SignedInUser } from "~/shared/session/session";
import { PersonIcon } from "~/shared/ui/icons";
import classes from "./layout.module.css";

export function PersonMenu({ user }: { user: SignedInUser }) {
  return (
    <Menu position="bottom-end" width={240} offset={6}>
      <Menu.Target>
        <button type="button" className={classes.person}>
          <PersonIcon />
          <span>
            <Trans>Hi, {user.first_name}</Trans>
          </span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user.email}</Menu.Label>
        <Menu.Item renderRoot={(props) => <Link to="/profile" {...props} />}>
          <Trans>My Profile</Trans>
        </Menu.Item>
        <Menu.Item renderRoot={(props) => <Link to="/logout" {...props} />}>
          <Trans>Log out</Trans>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
