import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { closeBusiness } from "~/shared/session/ask-business";
import { amend, begin } from "~/shared/session/session";
import { aRep, aWork } from "~/testing/a-person";
import { showPage } from "~/testing/show";
import { TopBar } from "./menus/top-bar";
import { Palette } from "./palette/palette";
import { TaskLayout } from "./task";

test.each([
  ["Menu", "Menu", <TopBar key="bar" />],
  ["Menu", "Menu", <TaskLayout key="bar">task</TaskLayout>],
  ["Select Business", "Select Business", <TopBar key="bar" />],
  ["Find anything", /Find/, <TopBar key="bar" />],
])(
  "%s opens over nothing that is done before it comes, and with the next press",
  async (name, title, bar) => {
    vi.spyOn(globalThis, "fetch").mockImplementation(() => new Promise(() => undefined));
    act(() => begin(aRep(), "token"));
    act(() => amend({ work: aWork(false) }));
    await showPage(
      <>
        {bar}
        <Palette />
        <h1>The page</h1>
      </>,
    );
    const button = screen.getByRole("button", { name });
    fireEvent.click(button);
    fireEvent.pointerDown(screen.getByRole("heading", { name: "The page" }));
    await act(async () => vi.dynamicImportSettled());
    expect(screen.queryByRole("dialog")).toBeNull();
    await userEvent.click(button);
    expect(await screen.findByRole("dialog", { name: title })).toBeVisible();
    await userEvent.keyboard("{Escape}");
    act(closeBusiness); // it stays open while partners load
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  },
);

test("the key goes to the search of the page", async () => {
  await showPage(
    <>
      <Palette />
      <search>
        <input role="combobox" aria-label="Search" aria-expanded="false" aria-controls="none" />
      </search>
    </>,
  );
  await userEvent.keyboard("/");
  expect(screen.getByRole("combobox")).toHaveFocus();
  expect(screen.getByRole("combobox")).toHaveValue("");
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("the key opens the palette where a page has no search, and what had the focus has it again", async () => {
  await showPage(
    <>
      <Palette />
      <button type="button">In the page</button>
    </>,
  );
  const before = screen.getByRole("button", { name: "In the page" });
  before.focus();
  await userEvent.keyboard("/");
  expect(await screen.findByRole("dialog")).toBeVisible();
  await waitFor(() => expect(screen.getByRole("combobox")).toHaveFocus());
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await waitFor(() => expect(before).toHaveFocus());
});
