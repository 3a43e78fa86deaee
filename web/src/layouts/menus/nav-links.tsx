import { Menu } from "@mantine/core";
import { keyOf, type NavLink } from "~/shared/navigation/links";
import { NavAnchor } from "~/shared/ui/buttons/nav-anchor";
import { Standing, useBelow } from "~/shared/ui/dialogs/below";
import type { Below } from "~/shared/ui/dialogs/opener";

/** What stands under a word of the top navigation. */
export default function NavLinks({ links, ...below }: Below & { links: readonly NavLink[] }) {
  return (
    <Menu {...useBelow(below)} position="bottom-start" offset={4} width={240}>
      <Menu.Target>
        <Standing button={below.button} />
      </Menu.Target>
      <Menu.Dropdown>
        {links.map((link) => (
          <Menu.Item
            key={keyOf(link)}
            renderRoot={(props) => <NavAnchor link={link} {...props} />}
          />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
