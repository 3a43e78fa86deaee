import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { begin } from "~/shared/session/session";
import { appearance } from "~/shared/ui/fields/appearance";
import { aPerson, aRep, aWork } from "~/testing/a-person";
import { showPage } from "~/testing/show";
import { PersonMenu } from "./person-menu";

/** jsdom has no layout, so the menu takes itself for scrolled away: its items count all the same. */
const item = (name: string | RegExp) => ({ name, hidden: true });

async function open(user: ReturnType<typeof aPerson>, chosen: boolean) {
  const onSelectBusiness = vi.fn();
  begin(user, "t");
  await showPage(
    <PersonMenu user={user} work={aWork(chosen)} onSelectBusiness={onSelectBusiness} />,
  );
  await userEvent.click(screen.getByRole("button", { name: /^Hi, Ann/ }));
  await screen.findByRole("menuitem", item("Log out"));
  return onSelectBusiness;
}

test("a rep without a business sees what hangs on one, switched off, with the reason and the way", async () => {
  const onSelectBusiness = await open(aRep(), false);
  const orders = screen.getByRole("menuitem", item(/My Orders/));
  expect(orders).toHaveAttribute("aria-disabled", "true");
  expect(orders).toHaveTextContent("disabled until business selected");
  expect(screen.getByRole("menuitem", item("My Profile"))).not.toHaveAttribute("aria-disabled");
  await userEvent.click(orders);
  expect(onSelectBusiness).toHaveBeenCalledOnce();
});

test("with a business everything is open, and the label names the role", async () => {
  await open(aRep(), true);
  expect(screen.getByRole("menuitem", item("Billing"))).toHaveAttribute("href", "/billing");
  expect(screen.queryByText("disabled until business selected")).toBeNull();
  expect(screen.getByText("Sales Rep")).toBeInTheDocument();
});

test("an owner is shown as a dealer, with name and address", async () => {
  await open(aPerson({ is_owner: true, label: "Dealer" }), false);
  expect(screen.getByText("Dealer")).toBeInTheDocument();
  expect(screen.getByText("Ann Lee")).toBeInTheDocument();
  expect(screen.getByText("ann@dealer.example")).toBeInTheDocument();
  expect(screen.queryByRole("menuitem", item("Audit"))).toBeNull();
});

test("an owner who has retired is offered no page that refuses them", async () => {
  await open(aPerson({ is_owner: true, is_retired: true, roles: ["retired"] }), false);
  const links = screen.getAllByRole("menuitem", { hidden: true });
  expect(links.map(({ textContent }) => textContent)).toEqual([
    "My Profile",
    "Cookie choice",
    "Log out",
  ]);
});

test("language and appearance are chosen in it, and it stays open", async () => {
  await open(aPerson({}), false);
  const looks = screen.getByRole("group", item("Appearance"));
  const dark = within(looks).getByRole("menuitemradio", item("Dark"));
  expect(dark).toHaveAttribute("aria-checked", "false");
  await userEvent.click(dark);
  expect(dark).toHaveAttribute("aria-checked", "true");
  expect(appearance()).toBe("dark");
  await userEvent.click(within(looks).getByRole("menuitemradio", item("Like the system")));
  expect(appearance()).toBe("auto");
  const languages = screen.getByRole("group", item("Language"));
  expect(within(languages).getByRole("menuitemradio", item("English"))).toHaveAttribute(
    "aria-checked",
    "true",
  );
  expect(screen.getByRole("menuitem", item("Log out"))).toBeInTheDocument();
});
