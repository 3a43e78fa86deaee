import { act, cleanup, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { amend, begin, end } from "~/shared/session/session";
import { aPerson, aRep, aWork } from "~/testing/a-person";
import { aPlan } from "~/testing/shop/a-plan";
import { aSubscription } from "~/testing/shop/a-subscription";
import { showPage } from "~/testing/show";
import { PlansScreen } from "./plans-screen";
import { SubscriptionsScreen } from "./subscriptions-screen";

const WITHOUT = "You do not have purchasing rights.";
const CHOICE = { devices: [], type: undefined, plan: undefined, slide: "devices" } as const;

function selling(more: Parameters<typeof aSubscription>[0] = {}, counts = {}) {
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const { pathname } = new URL((request as Request).url);
    if (pathname === "/v1/plans") return Response.json({ results: [aPlan()] });
    if (pathname !== "/v1/subscriptions") return new Response(null, { status: 404 });
    return Response.json({ results: [aSubscription(more)], counts, end_cursor: null });
  });
}

const { device_key: DEVICE } = aSubscription();

afterEach(() => {
  end();
  vi.restoreAllMocks();
});

test("whoever may buy is shown the way to each plan, and renews them", async () => {
  selling();
  begin(aPerson({ purchasing_rights: true }), "t");
  await showPage(<SubscriptionsScreen startsWith="" state={undefined} />);
  expect(await screen.findByRole("link", { name: /^Choose / })).toBeVisible();
  expect(await screen.findByRole("button", { name: `Renew: ${DEVICE}` })).toBeVisible();
  expect(screen.getByRole("checkbox", { name: DEVICE })).toBeVisible();
  expect(screen.queryByText(WITHOUT)).toBeNull();
});

test("the devices can be kept as a file, beneath them", async () => {
  selling();
  begin(aPerson({ purchasing_rights: true }), "t");
  await showPage(<SubscriptionsScreen startsWith="" state={undefined} />);
  const file = await screen.findByRole("button", { name: "Download as CSV" });
  const table = screen.getByRole("table", { name: "Customer Subscriptions" });
  expect(table.compareDocumentPosition(file)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test("a plan that is suspended is called so, and has a tab once there is one", async () => {
  begin(aPerson({ purchasing_rights: true }), "t");
  selling();
  await showPage(<SubscriptionsScreen startsWith="" state={undefined} />);
  expect(await screen.findByRole("link", { name: /^Active/ })).toBeVisible();
  expect(screen.queryByRole("link", { name: /^Suspended/ })).toBeNull();
  cleanup();
  selling({ state: "suspended", purchase_id: "p1" }, { suspended: 1 });
  await showPage(<SubscriptionsScreen startsWith="" state={undefined} />);
  expect(await screen.findByRole("link", { name: "Suspended 1" })).toBeVisible();
  expect(screen.getByRole("row", { name: new RegExp(DEVICE) })).toHaveTextContent("Suspended");
});

function Turning() {
  const [state, setState] = useState<"ended">();
  return (
    <>
      <button type="button" onClick={() => setState("ended")}>
        Turn to another tab
      </button>
      <SubscriptionsScreen startsWith="" state={state} />
    </>
  );
}

test("what is chosen under one tab counts under another, and not for another business", async () => {
  selling();
  begin(aPerson({ purchasing_rights: true }), "t");
  amend({ work: aWork(true) });
  await showPage(<Turning />);
  await userEvent.click(await screen.findByRole("checkbox", { name: DEVICE }));
  expect(screen.getByText("1 device chosen")).toBeVisible();
  expect(screen.queryByText(/not in view/)).toBeNull();
  selling({ id: "subscription-2", device_key: "FT-X1-00000043" });
  await userEvent.click(screen.getByRole("button", { name: "Turn to another tab" }));
  await userEvent.click(await screen.findByRole("checkbox", { name: "FT-X1-00000043" }));
  expect(screen.getByText("2 devices chosen")).toBeVisible();
  expect(screen.getByText("1 of them is not in view")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Renew to one end date" }));
  expect(await screen.findByText(/^2 devices keep their plans/)).toBeVisible();
  const { business, ...work } = aWork(true);
  act(() => amend({ work: { ...work, business: business && { ...business, code: "N2000" } } }));
  expect(screen.queryByText(/chosen$/)).toBeNull();
});

test("the comparison is folded away until it is asked for", async () => {
  selling();
  begin(aPerson({ purchasing_rights: true }), "t");
  await showPage(<SubscriptionsScreen startsWith="" state={undefined} />);
  const compare = await screen.findByText("Compare the plans");
  const table = screen.getByRole("region", { name: "Plans compared", hidden: true });
  expect(table).not.toBeVisible();
  await userEvent.click(compare);
  expect(table).toBeVisible();
});

test("whoever may not buy sees plans and prices, and why there is no way to them", async () => {
  selling();
  begin(aPerson(), "t");
  await showPage(<SubscriptionsScreen startsWith="" state={undefined} />);
  expect(await screen.findByRole("row", { name: new RegExp(DEVICE) })).toBeVisible();
  expect(screen.getByText(WITHOUT)).toBeVisible();
  expect(screen.queryByRole("link", { name: /^(Choose|Upgrade|Another)/ })).toBeNull();
  expect(screen.queryByRole("button", { name: /^Renew/ })).toBeNull();
  expect(screen.queryByRole("checkbox")).toBeNull();
});

test("whoever may not buy chooses no devices for a plan", async () => {
  selling();
  begin(aPerson(), "t");
  await showPage(<PlansScreen choice={CHOICE} />);
  expect(await screen.findByText(WITHOUT)).toBeVisible();
  expect(screen.queryByRole("textbox")).toBeNull();
});

test("a rep is asked for the business before anything is chosen", async () => {
  selling();
  begin(aRep(), "t");
  amend({ work: aWork(false) });
  await showPage(<PlansScreen choice={CHOICE} />);
  expect(await screen.findByRole("button", { name: "Select Business" })).toBeVisible();
  expect(screen.queryByRole("textbox")).toBeNull();
});
