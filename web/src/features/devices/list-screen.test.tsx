import { onlineManager } from "@tanstack/react-query";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { begin } from "~/shared/session/session";
import { aPerson, aRep } from "~/testing/a-person";
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

/** Answers the list of the page at once, and what is looked for when it is told. */
function servingLater() {
  const asked: string[] = [];
  const waiting: (() => void)[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const { search, searchParams } = new URL((request as Request).url);
    asked.push(search);
    if (searchParams.get("starts_with"))
      await new Promise<void>((answered) => waiting.push(answered));
    return Response.json({ results: [], counts: null, end_cursor: null });
  });
  return { asked, answer: () => act(async () => waiting.forEach((one) => void one())) };
}

const serial = () => screen.getByRole("textbox", { name: "Serial number" });
const button = () => screen.getByRole("button", { name: "Find" });

afterEach(() => {
  vi.restoreAllMocks();
  onlineManager.setOnline(true);
});

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

test.each([
  ["an installer", aPerson(), 1],
  ["an outside rep", aRep(true), 1],
  ["an administrator", aPerson({ roles: ["admin"] }), 1],
  ["somebody who has retired", aPerson({ roles: ["retired"], is_retired: true }), 0],
])("the way to service visits is shown to whom they are for: %s", async (_, person, links) => {
  serving([DEVICE], null);
  begin(person, "t");
  await showPage(<DevicesScreen startsWith="" />);
  expect(await screen.findByRole("link", { name: DEVICE.device_key })).toBeVisible();
  expect(screen.queryAllByRole("link", { name: "Service visits" })).toHaveLength(links);
});

test("what everybody works on has no tabs", async () => {
  serving([DEVICE], null);
  await showPage(<DevicesScreen startsWith="" />);
  expect(await screen.findByRole("link", { name: DEVICE.device_key })).toBeVisible();
  expect(screen.queryByRole("navigation", { name: "Status" })).toBeNull();
});

test.each([
  ["one that no device of the business begins with", "x1-7", [], "/devices/X1-7"],
  ["the beginning of others", "FT-X1-00000042", ["FT-X1-000000421"], "/devices?q=FT-X1-00000042"],
  ["too short for a serial number", "FT", [], "/devices?q=FT"],
  ["without its end", "FT-X1-", [], "/devices?q=FT-X1-"],
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

test("a device of the list is opened without asking for anything", async () => {
  const asked = serving([DEVICE], null);
  const { history } = await showPage(<DevicesScreen startsWith="" />);
  await screen.findByRole("link", { name: DEVICE.device_key });
  await userEvent.type(serial(), DEVICE.device_key);
  await userEvent.click(button());
  await waitFor(() => expect(history.location.href).toBe(`/devices/${DEVICE.device_key}`));
  expect(asked).toHaveLength(1);
});

test("the button is busy while it is looked for, and then leads there", async () => {
  const { answer } = servingLater();
  const { history } = await showPage(<DevicesScreen startsWith="" />);
  await userEvent.type(serial(), "X1-700");
  await userEvent.click(button());
  await waitFor(() => expect(button()).toBeDisabled());
  expect(history.location.href).toBe("/");
  await answer();
  await waitFor(() => expect(history.location.href).toBe("/devices/X1-700"));
});

test.each<[string, (history: { push: (to: string) => void }) => unknown, string]>([
  ["types on", () => userEvent.type(serial(), "1"), "/"],
  ["goes elsewhere", ({ push }) => push("/wiring"), "/wiring"],
])("whoever %s before the answer is there is not led away", async (_, goOn, address) => {
  const { answer } = servingLater();
  const { history } = await showPage(<DevicesScreen startsWith="" />);
  await userEvent.type(serial(), "X1-700");
  await userEvent.click(button());
  await waitFor(() => expect(button()).toBeDisabled());
  await goOn(history);
  await answer();
  expect(history.location.href).toBe(address);
});

test("why it could not be looked for is told, and leads nowhere", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) =>
    new URL((request as Request).url).searchParams.get("starts_with")
      ? Response.json({ status: 429, code: "throttled", title: "throttled" }, { status: 429 })
      : Response.json({ results: [], counts: null, end_cursor: null }),
  );
  const { history } = await showPage(<DevicesScreen startsWith="" />);
  await userEvent.type(serial(), "X1-700");
  await userEvent.click(button());
  expect(await screen.findByText(/Attempt limit exceeded/)).toBeVisible();
  expect(history.location.href).toBe("/");
  await userEvent.type(serial(), "1");
  expect(screen.queryByText(/Attempt limit exceeded/)).toBeNull();
});

test("without a signal it says that it waits for one, and goes on by itself with it", async () => {
  const asked = serving([], null);
  const { history } = await showPage(<DevicesScreen startsWith="" />);
  await screen.findByText(/appear here/);
  const line = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  act(() => onlineManager.setOnline(false));
  await userEvent.type(serial(), "X1-700");
  await userEvent.click(button());
  expect(await screen.findByText(/It comes by itself with the signal/)).toBeVisible();
  expect(asked).toHaveLength(1);
  line.mockReturnValue(true);
  act(() => onlineManager.setOnline(true));
  await waitFor(() => expect(history.location.href).toBe("/devices/X1-700"));
});

test.each([
  ["-X1", ""],
  ["X1--7", ""],
  ["X1-", "12345"],
])("a text that can be no serial number is answered at the field: %s %s", async (typed, digits) => {
  const asked = serving([], null);
  const { history } = await showPage(<DevicesScreen startsWith="" />);
  await userEvent.type(serial(), typed);
  if (digits) await userEvent.type(screen.getByRole("textbox", { name: /^Last 5 digits/ }), digits);
  await userEvent.click(button());
  expect(await screen.findByText("Serial number invalid")).toBeVisible();
  expect(history.location.href).toBe("/");
  expect(asked).toHaveLength(1);
});
