import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { begin } from "~/shared/session/session";
import { aPerson, aRep } from "~/testing/a-person";
import { showPage } from "~/testing/show";
import { VisitsScreen } from "./list-screen";

const COUNTS = { waiting: 1, permitted: 0, refused: 2, lapsed: 0, ended: 12 };
const VISIT = {
  id: "v1",
  device_key: "FT-X1-00000042",
  mine: false,
  state: "waiting",
  visitor: "Marcus Okafor",
  business: "Prairie Remote Start",
  reason: "the siren",
  answered_by: null,
  asked_at: "2026-11-24T12:00:00Z",
  expires_at: "2026-11-27T12:00:00Z",
  ended_at: null,
};

/** A server whose business was asked once; the person asked for nothing. */
function served() {
  const asked: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const { searchParams: said } = new URL((request as Request).url);
    const side = said.get("of");
    asked.push(`${side} ${said.get("state")}`);
    const fits = side === "ours" && [null, "waiting"].includes(said.get("state"));
    const counts = side === "ours" ? COUNTS : Object.fromEntries(none);
    return Response.json({ results: fits ? [VISIT] : [], counts, end_cursor: null });
  });
  return asked;
}

const none = Object.keys(COUNTS).map((state) => [state, 0]);
const ours = () => screen.findByRole("navigation", { name: "States of visits at your devices" });
const mine = () => screen.findByRole("navigation", { name: "States of your own visits" });

afterEach(() => vi.restoreAllMocks());

test("each side has its states as tabs with counts, and the other's state stays in the address", async () => {
  const asked = served();
  await showPage(<VisitsScreen wanted={{ ours: "waiting" }} />);
  expect(await screen.findByRole("link", { name: VISIT.device_key })).toBeVisible();
  const tabs = within(await ours());
  expect(tabs.getByRole("link", { name: "All 15" })).not.toHaveAttribute("aria-current");
  expect(tabs.getByRole("link", { name: "Waiting for the owner 1" })).toHaveAttribute(
    "aria-current",
    "page",
  );
  expect(tabs.getByRole("link", { name: "Refused 2" })).toHaveAttribute(
    "href",
    "/visits?ours=refused",
  );
  const others = within(await mine());
  expect(others.getByRole("link", { name: "Ended 0" })).toHaveAttribute(
    "href",
    "/visits?ours=waiting&mine=ended",
  );
  expect(asked.sort()).toEqual(["mine null", "ours waiting"]);
});

test("a state that nothing is in leads back to all, by the keyboard", async () => {
  served();
  const { history } = await showPage(
    <VisitsScreen wanted={{ device: "FT-X1-00000042", ours: "permitted", mine: "ended" }} />,
  );
  const [first] = await screen.findAllByText("No visit is in this state.");
  expect(first).toBeVisible();
  const [all] = screen.getAllByRole("link", { name: "Show all visits" });
  all?.focus();
  await userEvent.keyboard("{Enter}");
  expect(history.location.href).toBe("/visits?device=FT-X1-00000042&mine=ended");
});

test.each([
  ["an installer", aPerson(), 1],
  ["an inside rep", aRep(), 0],
])("the form is there for whoever may ask for a visit: %s", async (_, person, forms) => {
  served();
  begin(person, "t");
  await showPage(<VisitsScreen wanted={{}} />);
  expect(await screen.findByRole("link", { name: VISIT.device_key })).toBeVisible();
  expect(await mine()).toBeVisible();
  expect(screen.queryAllByRole("button", { name: "Ask the owner" })).toHaveLength(forms);
});
