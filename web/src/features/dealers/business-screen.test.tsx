import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Schemas } from "~/shared/api/client";
import { begin, end } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { lookAgain } from "~/testing/look-again";
import { showPage } from "~/testing/show";
import { BusinessScreen } from "./business-screen";

const FACTS = "/api/business-partners/C1";
const DEALER = "/v1/dealers/d1";
const profile = { name: "", phone: "", website: "", about: "" };
const BUSINESS: Schemas["DealerOut"] = {
  id: "d1",
  name: "Smith Audio",
  partner_code: "C1",
  is_public_profile: false,
  dealer_profile: { ...profile, USCA: false, AU: false, MX: false },
};
const ANSWERS: Record<string, unknown> = {
  [DEALER]: BUSINESS,
  [FACTS]: { companyName: "Smith Audio", sapBpCode: "C1", outsideSalesRep: [], limited: true },
  [`${DEALER}/payout-account`]: { state: "not_begun" },
};

/** What the server answers with a status alone. */
const refused = new Map<string, number>();

beforeEach(() => {
  refused.clear();
  begin(aPerson({ is_owner: true, dealer_id: "d1" }), "t");
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const { pathname } = new URL((request as Request).url);
    const status = refused.get(pathname);
    if (status) return Response.json({ code: "unexpected" }, { status });
    return Response.json(ANSWERS[pathname] ?? { results: [], count: 0 });
  });
});

afterEach(() => {
  end();
  vi.restoreAllMocks();
});

const email = () => screen.findByRole("textbox", { name: "Email" });

test("what is typed stays through a look that fails, which is told above it", async () => {
  await showPage(<BusinessScreen from={undefined} />);
  await userEvent.type(await email(), "ann@example.com");
  refused.set(DEALER, 500);
  lookAgain();
  const again = await screen.findByRole("button", { name: "Try again" });
  expect(await email()).toHaveValue("ann@example.com");
  refused.clear();
  await userEvent.click(again);
  await waitFor(() => expect(screen.queryByRole("button", { name: "Try again" })).toBeNull());
  expect(await email()).toHaveValue("ann@example.com");
});

test("what is typed stays while what the ERP knows is asked for again", async () => {
  refused.set(FACTS, 500);
  await showPage(<BusinessScreen from={undefined} />);
  const field = await email();
  await userEvent.type(field, "ann@example.com");
  await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
  await screen.findByRole("button", { name: "Try again" });
  expect(field).toBeInTheDocument();
  expect(field).toHaveValue("ann@example.com");
});

test("a business that is theirs no more is shown no longer", async () => {
  await showPage(<BusinessScreen from={undefined} />);
  await email();
  refused.set(DEALER, 403);
  lookAgain();
  await waitFor(() => expect(screen.queryByRole("textbox", { name: "Email" })).toBeNull());
});
