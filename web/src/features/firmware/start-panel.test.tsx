import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { begin } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { showPage } from "~/testing/show";
import type { Offers } from "./queries";
import { StartPanel } from "./start-panel";

const OFFERS: Offers = {
  device_key: "FT-X1-00000042",
  offers: [{ target: "main", label: "Main device", from_version: "1.4.2", to_version: "1.5.0" }],
  battery_volts: 3.9,
  signal_dbm: -70,
  least_battery_volts: 3.6,
  least_signal_dbm: -95,
  weaknesses: [],
  checked_at: "2026-11-21T10:00:00Z",
};
const WEAK: Offers = { ...OFFERS, weaknesses: [{ what: "battery", reading: 3.1, least: 3.6 }] };

/** A server that finds these, and begins nothing; with which reasons it was asked to. */
function failing(found: Offers): unknown[] {
  const reasons: unknown[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    if ((request as Request).method === "GET") return Response.json(found);
    const { reason } = (await (request as Request).json()) as { reason?: string };
    reasons.push(reason);
    return Response.json({}, { status: 502 });
  });
  return reasons;
}

async function shown() {
  await showPage(
    <StartPanel
      wanted={{ deviceKey: "FT-X1-00000042", digits: undefined }}
      last={undefined}
      onStart={async () => undefined}
      about={{ what: "FT-X1-00000042" }}
      past={<h2>Earlier updates</h2>}
    />,
  );
  await userEvent.click(await screen.findByRole("button", { name: "Check for an update" }));
}

const press = (name: string) => screen.findByRole("button", { name }).then(userEvent.click);

beforeEach(() => begin(aPerson({ roles: ["owner"], is_owner: true }), "t"));
afterEach(() => vi.restoreAllMocks());

test("a start that failed says so beside its button, named and focused", async () => {
  const reasons = failing(OFFERS);
  await shown();
  await press("Update now");
  const note = await screen.findByRole("alert", { name: "Failed: Update now" });
  await waitFor(() => expect(note).toHaveFocus());
  expect(screen.getByRole("button", { name: "Update now" }).parentElement).toContainElement(note);
  await userEvent.click(within(note).getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(reasons).toEqual([undefined, undefined]));
});

test("another try of what was overruled sends the reason that stands there by then", async () => {
  const reasons = failing(WEAK);
  await shown();
  await userEvent.type(await screen.findByRole("textbox", { name: /^Reason/ }), "On a charger");
  await press("Update it all the same");
  const note = await screen.findByRole("alert", { name: "Failed: Update it all the same" });
  await userEvent.type(screen.getByRole("textbox", { name: /^Reason/ }), " now");
  await userEvent.click(within(note).getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(reasons).toEqual(["On a charger", "On a charger now"]));
});

test("a look for updates that failed says so beside its button", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json({}, { status: 502 }));
  await shown();
  const note = await screen.findByRole("alert", { name: "Failed: Check for an update" });
  const button = screen.getByRole("button", { name: "Check for an update" });
  expect(button.parentElement).toContainElement(note);
});
