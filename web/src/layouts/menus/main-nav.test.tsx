import { act, screen, within } from "@testing-library/react";
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

/**
 * A row that has room for so many parts, More among them; jsdom has no layout of its own. What comes back tells it so, as
 * a browser does before it paints, and returns what is painted then.
 */
function roomFor(count: number): () => HTMLElement {
  const told = new Set<(entries: unknown[]) => void>();
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(readonly tell: (entries: unknown[]) => void) {}
      observe() {
        told.add(this.tell);
      }
      unobserve() {}
      disconnect() {
        told.delete(this.tell);
      }
    },
  );
  vi.spyOn(HTMLElement.prototype, "offsetTop", "get").mockImplementation(function (
    this: HTMLElement,
  ) {
    const room = screen.queryByRole("button", { name: "More" }) ? count - 1 : count;
    return [...(this.parentElement?.children ?? [])].indexOf(this) < room ? 0 : 48;
  });
  return () => {
    const painted = document.createElement("div");
    act(() => {
      for (const tell of told) tell([]);
      // What React still has to draw comes after the picture.
      painted.append(screen.getByRole("navigation", { name: "Main" }).cloneNode(true));
    });
    return painted;
  };
}

function inRow(painted: HTMLElement): (string | null)[] {
  return [...painted.querySelectorAll("a:not([data-out])")].map((link) => link.textContent);
}

test("what has no room in the bar stands under More", async () => {
  withoutOutsideLinks();
  const paint = roomFor(6);
  await showPage(<MainNav />);
  const painted = paint();
  await userEvent.click(screen.getByRole("button", { name: "More" }));
  const under = (await screen.findAllByRole("menuitem", { hidden: true })).map(
    (item) => item.textContent,
  );
  expect(inRow(painted)).toEqual(["Quick Order", "Wiring"]);
  expect(within(painted).getByRole("button", { name: "More" })).toBeTruthy();
  expect(under).toEqual(["Drone Activation", "Installer Guides"]);
});

test("there is no More where all have room", async () => {
  withoutOutsideLinks();
  const paint = roomFor(20);
  await showPage(<MainNav />);
  const painted = paint();
  expect(inRow(painted).length).toBeGreaterThan(2);
  expect(within(painted).queryByRole("button", { name: "More" })).toBeNull();
});
