import { renderHook, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { useAlerts } from "~/shared/alerts/alerts";
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

const keyed = [
  { ...brake, category: "Push-to-Start. Remote Start" },
  { ...brake, category: "Std. Key. Remote Start", color: "Violet", trim: "LE" },
];

test("rows of any category say which, and so do copies of a row from under its chip", async () => {
  const user = userEvent.setup();
  const together = show(<WireTable label="Wires" wires={keyed} mixed />);
  expect(screen.getByRole("columnheader", { name: "Category" })).toBeVisible();
  for (const { category } of keyed)
    expect(screen.getByRole("cell", { name: category })).toBeVisible();
  together.unmount();
  show(<WireTable label="Wires" wires={keyed.slice(1)} />);
  expect(screen.queryByRole("columnheader", { name: "Category" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Copy Brake" }));
  const copied = await navigator.clipboard.readText();
  expect(copied).toBe("Brake\tViolet\tStd. Key. Remote Start\tLE");
});

test("a row that the browser does not copy is told of", async () => {
  const user = userEvent.setup();
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValueOnce(new Error("denied"));
  const told = renderHook(useAlerts).result;
  show(<WireTable label="Wires" wires={[brake]} />);
  await user.click(screen.getByRole("button", { name: "Copy Brake" }));
  await waitFor(() =>
    expect(told.current).toMatchObject([{ content: ["The browser does not allow to copy."] }]),
  );
});

test("beside other sources each of several values says whose it is", async () => {
  const theirs = aWire({ function: "Brake", color: "White", source: "adsWiring", trim: "SE" });
  show(<WireTable label="Wires" wires={keyed} all={[...keyed, theirs]} mixed />);
  const [compare] = screen.getAllByRole("button", { name: "Compare the sources: Brake" });
  await userEvent.click(compare as HTMLElement);
  const beside = await screen.findByRole("dialog", { name: "Sources: Brake" });
  const colors = within(beside).getByRole("row", { name: /^Color/ });
  expect(
    within(colors)
      .getAllByRole("cell")
      .map((cell) => cell.textContent?.trim()),
  ).toEqual(["White Push-to-Start. Remote StartViolet Std. Key. Remote Start · LE", "White"]);
});

test("on paper there is nothing to press", () => {
  show(<WireTable label="Wires" wires={[brake]} all={all} paper />);
  expect(screen.getByRole("rowheader", { name: /Brake/ })).toBeVisible();
  expect(screen.queryByRole("button")).toBeNull();
});
