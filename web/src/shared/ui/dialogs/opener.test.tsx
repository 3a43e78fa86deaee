import { Menu } from "@mantine/core";
import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { clearAlerts, useAlerts } from "~/shared/alerts/alerts";
import { show } from "~/testing/show";
import { fetchedDialog } from "../fetched";
import { Standing, useBelow } from "./below";
import { type Below, useOpener } from "./opener";

afterEach(() => act(clearAlerts));

function Choices(below: Below) {
  return (
    <Menu {...useBelow(below)} transitionProps={{ duration: 0 }} hideDetached={false}>
      <Menu.Target>
        <Standing button={below.button} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item>Choose</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Each test has a script of its own: what came once is there. */
function Page({ script }: { script: () => Promise<{ default: typeof Choices }> }) {
  const { wanted, below, button } = useOpener("menu");
  const [Part] = useState(() => fetchedDialog(script));
  return (
    <>
      <p>{useAlerts().length} told</p>
      <button type="button" {...button}>
        More
      </button>
      {wanted ? <Part {...below} /> : null}
      <input aria-label="Next" />
    </>
  );
}

/** A script that comes when it is called. */
function awaited() {
  let come = (_: { default: typeof Choices }) => {};
  const script = new Promise<{ default: typeof Choices }>((done) => {
    come = done;
  });
  show(<Page script={() => script} />);
  return () => act(async () => come({ default: Choices }));
}

const more = () => screen.getByRole("button", { name: "More" });
const choose = () => screen.queryByRole("menuitem", { name: "Choose" });

test("a press before its script is answered with it, by a menu that has the focus and gives it back", async () => {
  const comes = awaited();
  const before = more();
  await userEvent.click(before);
  expect(before).toHaveFocus();
  expect(before).toHaveAttribute("aria-expanded", "true");
  await comes();
  await waitFor(() => expect(choose()).toBeVisible());
  expect(more()).toBe(before);
  expect(screen.getByRole("menu")).toHaveAttribute("id", before.getAttribute("aria-controls"));
  await waitFor(() => expect(screen.getByRole("menu")).toContainElement(focused()));
  await userEvent.keyboard("{Escape}");
  expect(choose()).toBeNull();
  await waitFor(() => expect(before).toHaveFocus());
});

test("Escape before the script is heard, and the next press opens", async () => {
  const comes = awaited();
  await userEvent.click(more());
  await userEvent.keyboard("{Escape}");
  expect(more()).toHaveAttribute("aria-expanded", "false");
  await comes();
  expect(choose()).toBeNull();
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(choose()).toBeVisible());
  await userEvent.click(more());
  expect(choose()).toBeNull();
});

test.each([
  ["pressed", () => userEvent.click(screen.getByText("0 told"))],
  ["reached by the keyboard", () => userEvent.tab()],
])("what has not come when something else is %s does not open over it", async (_, goOn) => {
  const comes = awaited();
  await userEvent.click(more());
  await goOn();
  expect(more()).toHaveAttribute("aria-expanded", "false");
  await comes();
  expect(choose()).toBeNull();
  await userEvent.click(more());
  await waitFor(() => expect(choose()).toBeVisible());
  await userEvent.tab();
});

test("what cannot be fetched is told when it was asked for, and asked for again by the next press", async () => {
  const gone = () =>
    Promise.reject(new TypeError("Failed to fetch dynamically imported module: a.js"));
  const script = vi
    .fn(async () => ({ default: Choices }))
    .mockImplementationOnce(gone)
    .mockImplementationOnce(gone);
  const caught = vi.spyOn(console, "error").mockImplementation(() => undefined);
  show(<Page script={script} />);
  await userEvent.tab();
  await waitFor(() => expect(caught).toHaveBeenCalled());
  expect(screen.getByText("0 told")).toBeVisible();
  await userEvent.keyboard("{Enter}");
  expect(await screen.findByText("1 told")).toBeVisible();
  expect(more()).toHaveAttribute("aria-expanded", "false");
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(choose()).toBeVisible());
});

function focused(): HTMLElement | null {
  return document.activeElement as HTMLElement | null; // of a page there is no other
}
