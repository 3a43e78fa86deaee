import { Menu } from "@mantine/core";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";
import { show } from "~/testing/show";
import { Dialog } from "./dialog";

type PageProps = { busy?: boolean; staying?: boolean };

function Page({ busy, staying = true }: PageProps) {
  const [open, setOpen] = useState(false);
  return (
    <main id="main" tabIndex={-1}>
      {staying || !open ? (
        <button type="button" onClick={() => setOpen(true)}>
          Open
        </button>
      ) : null}
      <Menu transitionProps={{ duration: 0 }} hideDetached={false}>
        <Menu.Target>
          <button type="button">More</button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpen(true)}>Open from here</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {open ? (
        <Dialog title="Sure?" busy={busy} onClose={() => setOpen(false)}>
          <input aria-label="Why" data-autofocus />
        </Dialog>
      ) : null}
    </main>
  );
}

const inside = () => waitFor(() => expect(screen.getByRole("textbox")).toHaveFocus());

test("its title has the weight of a heading", async () => {
  show(<Page />);
  await userEvent.click(screen.getByRole("button", { name: "Open" }));
  expect(screen.getByRole("heading", { name: "Sure?" })).toHaveStyle({ fontWeight: "600" });
});

test("the focus goes into a dialog, and back to its button when it closes", async () => {
  show(<Page />);
  await userEvent.click(screen.getByRole("button", { name: "Open" }));
  await inside();
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(screen.getByRole("button", { name: "Open" })).toHaveFocus();
});

test("it goes back to the button of the menu from which the dialog was opened", async () => {
  show(<Page />);
  await userEvent.click(screen.getByRole("button", { name: "More" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Open from here" }));
  await inside();
  await userEvent.keyboard("{Escape}");
  expect(screen.getByRole("button", { name: "More" })).toHaveFocus();
});

test("it goes to the page where the button is gone", async () => {
  show(<Page staying={false} />);
  await userEvent.click(screen.getByRole("button", { name: "Open" }));
  await inside();
  // the button comes back with the dialog's end, but it is another one
  await userEvent.keyboard("{Escape}");
  expect(screen.getByRole("main")).toHaveFocus();
});

test("it does not close while something is under way", async () => {
  show(<Page busy />);
  await userEvent.click(screen.getByRole("button", { name: "Open" }));
  await inside();
  await userEvent.keyboard("{Escape}");
  expect(screen.getByRole("dialog")).toBeVisible();
  expect(screen.getByRole("button", { name: "Close" })).toBeDisabled();
});
