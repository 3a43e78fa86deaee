import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
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

test.each([
  ["the only one that begins so", "DR5400", ["DR5400"], "/devices/DR5400"],
  ["one that no device of the business begins with", "x1-7", [], "/devices/X1-7"],
  ["the beginning of others", "FT-X1-00000042", ["FT-X1-000000421"], "/devices?q=FT-X1-00000042"],
  ["too short for a serial number", "FT", [], "/devices?q=FT"],
])("a serial number is whole whatever it ends in: %s", async (_, typed, begin, address) => {
  serving(
    begin.map((device_key) => ({ ...DEVICE, device_key })),
    null,
  );
  const { history } = await showPage(<DevicesScreen startsWith="" />);
  await userEvent.type(screen.getByRole("textbox", { name: "Serial number" }), typed);
  await userEvent.click(screen.getByRole("button", { name: "Find" }));
  await waitFor(() => expect(history.location.href).toBe(address));
});

test("with the digits of its SIM a device is opened without a look at the list", async () => {
  const asked = serving([DEVICE], null);
  const { history } = await showPage(<DevicesScreen startsWith="" />);
  await userEvent.type(screen.getByRole("textbox", { name: "Serial number" }), "FT-X1");
  await userEvent.type(screen.getByRole("textbox", { name: /^Last 5 digits/ }), "12345");
  await userEvent.click(screen.getByRole("button", { name: "Find" }));
  await waitFor(() => expect(history.location.href).toBe("/devices/FT-X1"));
  expect(asked).toEqual(["?starts_with=&limit=20"]);
});
