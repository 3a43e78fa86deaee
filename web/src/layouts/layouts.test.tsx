import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { clearAlerts, tell } from "~/shared/alerts/alerts";
import { closeViewer, zoom } from "~/shared/media/viewer";
import { amend, begin, end } from "~/shared/session/session";
import { useSite } from "~/shared/session/site";
import { allowAnalytics, analyticsAllowed } from "~/shared/storage";
import { InTaskBar, TaskPlace } from "~/shared/ui/screens/task-bar";
import { aPerson, aRep, aWork } from "~/testing/a-person";
import { show, showPage } from "~/testing/show";
import { BlankLayout, PrintLayout } from "./bare";
import { DefaultLayout } from "./default";
import { Footer } from "./footer";
import MobileMenu from "./menus/mobile-menu";
import { PersonMenu } from "./menus/person-menu";
import { CookieBanner } from "./notices/cookie-banner";
import { TaskLayout } from "./task";

/** What asks the server waits for ever. */
function withoutServer() {
  vi.spyOn(globalThis, "fetch").mockImplementation(() => new Promise(() => undefined));
}

afterEach(() => vi.restoreAllMocks());

test("a task has the logo, Back, a menu and what its page puts into the bar; no search, crumbs or footer", async () => {
  withoutServer();
  const { history } = await showPage(
    <TaskLayout>
      <InTaskBar>Step 3 of 12</InTaskBar>
      page
    </TaskLayout>,
  );
  const back = vi.spyOn(history, "back");
  const bar = screen.getByRole("banner");
  expect(bar).toHaveTextContent("Step 3 of 12");
  expect(screen.getByRole("main")).toHaveTextContent(/^page$/);
  expect(within(bar).getByRole("link", { name: "Turnkey, to the dashboard" })).toBeVisible();
  expect(within(bar).getByRole("button", { name: "Menu" })).toBeVisible();
  expect(within(bar).getByRole("link", { name: "Login" })).toBeVisible();
  await userEvent.click(within(bar).getByRole("button", { name: "Back" }));
  expect(back).toHaveBeenCalledOnce();
  expect(screen.getByRole("region", { name: "Cookies" })).toBeVisible();
  act(() => tell({ content: "It was not saved." }));
  expect(screen.getByRole("alert")).toHaveTextContent("It was not saved.");
  act(clearAlerts);
  for (const role of ["contentinfo", "search", "navigation"]) {
    expect(screen.queryByRole(role)).toBeNull();
  }
});

test("a picture in a task is looked at large over its page", async () => {
  withoutServer();
  await showPage(<TaskLayout>page</TaskLayout>);
  act(() =>
    zoom({ url: "/api/files/wires.png", alt: "The wires at the kick panel" }, document.body),
  );
  expect(await screen.findByRole("dialog")).toHaveTextContent("The wires at the kick panel");
  act(() => closeViewer());
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("whoever has answered about cookies may choose again, from the foot of the page", async () => {
  withoutServer();
  await showPage(
    <>
      <Footer />
      <CookieBanner reload={() => undefined} />
    </>,
  );
  const banner = () => screen.queryByRole("region", { name: "Cookies" });
  await userEvent.click(screen.getByRole("button", { name: "Accept" }));
  expect(banner()).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Cookie choice" }));
  await userEvent.click(screen.getByRole("button", { name: "Decline" }));
  expect(banner()).toBeNull();
  expect(analyticsAllowed()).toBe(false);
  allowAnalytics(false, 0);
});

test.each([
  [
    "at the person's name",
    <PersonMenu key="menu" user={aPerson()} work={undefined} onSelectBusiness={vi.fn()} />,
    "menuitem",
  ],
  ["of a phone or a task", <MobileMenu key="menu" onClose={() => undefined} />, "button"],
] as const)(
  "whoever is signed in may choose about cookies again, in the menu %s",
  async (_, menu, role) => {
    withoutServer();
    begin(aPerson(), "token");
    const reload = vi.fn();
    await showPage(
      <>
        {menu}
        <CookieBanner reload={reload} />
      </>,
    );
    const banner = () => screen.queryByRole("region", { name: "Cookies", hidden: true });
    expect(banner()).toBeNull();
    if (role === "menuitem")
      await userEvent.click(screen.getByRole("button", { name: /^Hi, Ann/ }));
    await userEvent.click(await screen.findByRole(role, { name: "Cookie choice", hidden: true }));
    expect(banner()).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Accept", hidden: true }));
    expect(banner()).toBeNull();
    expect(analyticsAllowed()).toBe(true);
    if (role === "menuitem")
      await userEvent.click(screen.getByRole("button", { name: /^Hi, Ann/ }));
    await userEvent.click(await screen.findByRole(role, { name: "Cookie choice", hidden: true }));
    await userEvent.click(screen.getByRole("button", { name: "Decline", hidden: true }));
    expect(analyticsAllowed()).toBe(false);
    expect(reload).not.toHaveBeenCalled(); // it would sign out whoever is not remembered
    allowAnalytics(false, 0);
  },
);

test("a page that asks nobody about cookies lets everybody choose again, and shows pictures", async () => {
  withoutServer();
  end();
  await showPage(<DefaultLayout>page</DefaultLayout>);
  const banner = () => screen.queryByRole("region", { name: "Cookies" });
  expect(banner()).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Cookie choice" }));
  await userEvent.click(screen.getByRole("button", { name: "Accept" }));
  expect(banner()).toBeNull();
  expect(analyticsAllowed()).toBe(true);
  allowAnalytics(false, 0);
  act(() => zoom({ url: "/api/files/wires.png", alt: "The wires" }, document.body));
  expect(await screen.findByRole("dialog")).toHaveTextContent("The wires");
  act(() => closeViewer());
});

test("a retired rep is offered nothing in the menu of a phone that is not for them", async () => {
  withoutServer();
  begin({ ...aRep(), is_retired: true, purchasing_rights: false }, "token");
  amend({ work: aWork(false) });
  await showPage(<MobileMenu onClose={() => undefined} />);
  expect(screen.getByRole("link", { name: "My Profile", hidden: true })).toBeVisible();
  expect(screen.queryByText("disabled until business selected")).toBeNull();
  end();
});

test("the lists of the footer are open to visitors, and one press away for people at work", async () => {
  withoutServer();
  await showPage(<Footer />);
  expect(screen.getByRole("link", { name: "Contact Us" })).toBeVisible();
  act(() => begin(aPerson(), "token"));
  const lists = await screen.findByRole("button", { name: "All links" });
  expect(screen.queryByRole("navigation")).toBeNull();
  for (const name of ["Language", "Appearance"]) expect(screen.getByLabelText(name)).toBeVisible();
  expect(screen.getByRole("link", { name: "Terms & Conditions" })).toBeVisible();
  await userEvent.click(lists);
  const all = screen.getByRole("navigation", { name: "Footer" });
  for (const name of ["Products", "Brands", "Services", "Installation", "Manage Account"])
    expect(within(all).getByRole("heading", { name })).toBeVisible();
});

test("a purchase has the logo, Back, its place and the copyright, and nothing else to press", async () => {
  withoutServer();
  const { history } = await showPage(
    <TaskLayout purchase>
      <TaskPlace what={<b>Harbour Car Audio</b>} more="$1,234.00" place={2} total={4} />
      page
    </TaskLayout>,
  );
  const back = vi.spyOn(history, "back");
  const bar = screen.getByRole("banner");
  expect(bar).toHaveTextContent("Harbour Car Audio$1,234.00");
  expect(bar).toHaveTextContent("Step 2 of 4");
  expect(screen.getByRole("link", { name: "Turnkey, to the dashboard" })).toHaveAttribute(
    "href",
    "/",
  );
  expect(within(bar).getAllByRole("link")).toHaveLength(1);
  expect(within(bar).getAllByRole("button")).toHaveLength(1);
  await userEvent.click(screen.getByRole("button", { name: "Back" }));
  expect(back).toHaveBeenCalledOnce();
  expect(screen.getByRole("contentinfo")).toHaveTextContent(/© 2021 Turnkey/);
  expect(screen.getByRole("main")).toHaveTextContent("page");
  expect(screen.queryByRole("region", { name: "Cookies" })).toBeNull();
});

test("a rep sees in a purchase, too, for whom they buy, with the way out", async () => {
  withoutServer();
  act(() => begin(aRep(), "token"));
  act(() => amend({ work: aWork(true) }));
  await showPage(<TaskLayout purchase>page</TaskLayout>);
  const banner = screen.getByRole("complementary", { name: "Harbour Car Audio" });
  expect(within(banner).getByRole("button", { name: "Exit" })).toBeVisible();
  act(() => end());
});

test("whoever belongs to the other site is asked in a task, once for all layouts, and never in a purchase", async () => {
  const other = { login_url: "https://us.turnkey.example/login", label: "Turnkey USA" };
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) =>
    (asked as Request).url.endsWith("/v1/site")
      ? Response.json({ other, links: {} })
      : new Promise<Response>(() => undefined),
  );
  act(() => begin(aPerson(), "token"));
  act(() => amend({ work: aWork(true, true) }));
  const purchase = await showPage(
    <TaskLayout purchase>
      <Asked />
    </TaskLayout>,
  );
  await screen.findByText("Turnkey USA");
  expect(screen.queryByRole("dialog")).toBeNull();
  purchase.unmount();
  const task = await showPage(<TaskLayout>page</TaskLayout>);
  await userEvent.click(await screen.findByRole("button", { name: "Stay" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  task.unmount();
  await showPage(
    <TaskLayout>
      <Asked />
    </TaskLayout>,
  );
  await screen.findByText("Turnkey USA");
  expect(screen.queryByRole("dialog")).toBeNull();
});

/** Says that the site is known. */
function Asked() {
  return useSite()?.other?.label ?? null;
}

test.each([
  ["blank", BlankLayout],
  ["print", PrintLayout],
])("%s has the page and no navigation, banner or footer", (_, Layout) => {
  show(<Layout>page</Layout>);
  expect(screen.getByRole("main")).toHaveTextContent("page");
  for (const role of ["navigation", "banner", "contentinfo", "button", "link"]) {
    expect(screen.queryByRole(role)).toBeNull();
  }
});
