import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { aWire } from "~/testing/a-wire";
import { show } from "~/testing/show";
import { WireTable } from "./wire-table";

const brake = aWire({ function: "Brake", color: "White" });
const horn = aWire({ function: "Horn", color: "Red" });
const all = [brake, horn, aWire({ function: "Brake", color: "White", source: "adsWiring" })];

test("what more than one source tells can be held beside the others, also where they agree", async () => {
  show(<WireTable label="Wires" wires={[brake, horn]} all={all} />);
  expect(screen.queryByRole("button", { name: "Sources differ" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Compare the sources: Horn" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Compare the sources: Brake" }));
  const beside = await screen.findByRole("dialog", { name: "Sources: Brake" });
  for (const source of ["Firstech", "iDatawire"])
    expect(within(beside).getByRole("columnheader", { name: source })).toBeVisible();
  expect(within(beside).queryByText("Sources differ")).toBeNull();
});

test("on paper there is nothing to press", () => {
  show(<WireTable label="Wires" wires={[brake]} all={all} paper />);
  expect(screen.getByRole("cell", { name: /Brake/ })).toBeVisible();
  expect(screen.queryByRole("button")).toBeNull();
});
