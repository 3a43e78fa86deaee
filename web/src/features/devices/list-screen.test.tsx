import { screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { showPage } from "~/testing/show";
import { DevicesScreen } from "./list-screen";

const DEVICE = { device_key: "FT-X1-00000042", product_name: "ft-x1", at: "2026-11-24T12:00:00Z" };

function serving(results: object[], counts: object | null) {
  const asked: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    asked.push(new URL((request as Request).url).search);
    return Response.json({ results, counts, end_cursor: null });
  });
  return asked;
}

afterEach(() => vi.restoreAllMocks());

test("devices in work are a tab with its count, and what was looked for stays", async () => {
  const asked = serving([DEVICE], { all: 3, in_work: 1 });
  await showPage(<DevicesScreen startsWith="FT" state="in-work" />);
  expect(await screen.findByRole("link", { name: DEVICE.device_key })).toBeVisible();
  const tabs = within(screen.getByRole("navigation", { name: "Status" }));
  expect(tabs.getByRole("link", { name: "In work 1" })).toHaveAttribute("aria-current", "page");
  expect(tabs.getByRole("link", { name: "All 3" })).toHaveAttribute("href", "/devices?q=FT");
  expect(asked).toEqual(["?starts_with=FT&in_work=true&limit=20"]);
});

test("where none is in work the list says so, and leads to all", async () => {
  serving([], { all: 3, in_work: 0 });
  await showPage(<DevicesScreen startsWith="" state="in-work" />);
  expect(await screen.findByText("No device that fits is in work.")).toBeVisible();
  expect(screen.getByRole("link", { name: "Show all devices" })).toHaveAttribute(
    "href",
    "/devices",
  );
});

test("what everybody works on has no tabs", async () => {
  serving([DEVICE], null);
  await showPage(<DevicesScreen startsWith="" />);
  expect(await screen.findByRole("link", { name: DEVICE.device_key })).toBeVisible();
  expect(screen.queryByRole("navigation", { name: "Status" })).toBeNull();
});
