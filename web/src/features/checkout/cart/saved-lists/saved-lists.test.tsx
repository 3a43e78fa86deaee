import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { show } from "~/testing/show";
import { SavedLists } from "./saved-lists";

const rows = [{ sku: "FT-IT-0001-STD", quantity: 2 }];
const LISTS = ["Mondays", "Fridays"].map((name, place) => ({
  id: `list-${place}`,
  name,
  is_own: true,
  is_shared: false,
  may_change: true,
  made_by: "Olivia Marchand",
  count: 1,
  updated_at: "2026-08-03T12:00:00Z",
}));

/** A pad whose text is what was typed or opened into it. */
function Pad() {
  const [text, setText] = useState("");
  return (
    <>
      <input aria-label="Pad" value={text} onChange={(event) => setText(event.target.value)} />
      <SavedLists
        text={text || undefined}
        isEmpty={text === ""}
        onUse={({ name }) => setText((present) => `${present}${name} `)}
      />
    </>
  );
}

/** A pad, and a server that holds two lists. */
function shown() {
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) => {
    const id = new URL((asked as Request).url).pathname.split("/")[3];
    const list = LISTS.find((one) => one.id === id);
    return Response.json(list ? { ...list, rows } : { results: LISTS });
  });
  show(<Pad />);
  return {
    use: async (name: string) => {
      await userEvent.click(screen.getByRole("button", { name: "Saved lists" }));
      await userEvent.click(await screen.findByRole("button", { name: `Use ${name}` }));
    },
    type: async (text: string) => {
      await userEvent.clear(screen.getByLabelText("Pad"));
      if (text) await userEvent.type(screen.getByLabelText("Pad"), text);
    },
    /** The name that the rows would be kept under, and what the button says. */
    kept: async () => {
      await userEvent.click(await screen.findByRole("button", { name: "Save as a list" }));
      const dialog = within(await screen.findByRole("dialog", { name: "Save as a list" }));
      const name = (dialog.getByLabelText("Name") as HTMLInputElement).value;
      return [name, dialog.getByRole("button", { name: /^Save/ }).textContent];
    },
  };
}

afterEach(() => {
  vi.restoreAllMocks();
});

test("a list that was opened is the one that is changed", async () => {
  const { use, kept } = shown();
  await use("Mondays");
  expect(await kept()).toEqual(["Mondays", "Save changes"]);
});

test("what was put together from two lists is neither of them", async () => {
  const { use, kept } = shown();
  await use("Mondays");
  await use("Fridays");
  expect(await kept()).toEqual(["", "Save"]);
});

test("a list is forgotten once the pad is empty", async () => {
  const { use, type, kept } = shown();
  await use("Mondays");
  await type("");
  await type("Something else");
  expect(await kept()).toEqual(["", "Save"]);
});

test("rows that were typed stay apart from a list that is opened after them", async () => {
  const { use, type, kept } = shown();
  await type("Something else");
  await use("Mondays");
  expect(await kept()).toEqual(["", "Save"]);
});

test("whoever has no list yet is told how one begins, and led back to the rows", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json({ results: [] }));
  show(<Pad />);
  await userEvent.click(screen.getByRole("button", { name: "Saved lists" }));
  await userEvent.click(await screen.findByRole("button", { name: "Type the rows" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});
