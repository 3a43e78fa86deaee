import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { showPage } from "~/testing/show";
import { MainNav } from "./main-nav";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Such a site has four inline links. Brands and categories are those that are built in, as nobody answers. */
function withoutOutsideLinks() {
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) =>
    asked instanceof Request && asked.url.endsWith("/v1/site")
      ? Response.json({ links: {}, features: {} })
      : new Promise(() => undefined),
  );
}

/** A row that has room for so many parts; jsdom has no layout of its own. */
function roomFor(count: number) {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(readonly tell: (entries: unknown[]) => void) {}
      observe() {
        this.tell([]);
      }
      unobserve() {}
      disconnect() {}
    },
  );
  vi.spyOn(HTMLElement.prototype, "offsetTop", "get").mockImplementation(function (
    this: HTMLElement,
  ) {
    return [...(this.parentElement?.children ?? [])].indexOf(this) < count ? 0 : 48;
  });
}

test("what has no room in the bar stands under More", async () => {
  withoutOutsideLinks();
  roomFor(5);
  await showPage(<MainNav />);
  const bar = screen.getByRole("navigation", { name: "Main" });
  const inBar = within(bar)
    .getAllByRole("link")
    .filter((link) => !link.hasAttribute("data-out"))
    .map((link) => link.textContent);
  await userEvent.click(within(bar).getByRole("button", { name: "More" }));
  const under = (await screen.findAllByRole("menuitem", { hidden: true })).map(
    (item) => item.textContent,
  );
  expect(inBar).toEqual(["Quick Order", "Wiring"]);
  expect(under).toEqual(["Drone Activation", "Installer Guides"]);
});

test("there is no More where all have room", async () => {
  withoutOutsideLinks();
  roomFor(20);
  await showPage(<MainNav />);
  expect(screen.getAllByRole("link").length).toBeGreaterThan(2);
  expect(screen.queryByRole("button", { name: "More" })).toBeNull();
});
