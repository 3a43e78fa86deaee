import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { begin } from "~/shared/session/session";
import { fetched } from "~/shared/ui/fetched";
import { aPerson, aRep } from "~/testing/a-person";
import { showPage } from "~/testing/show";
import { unfinishedQuery } from "./queries";
import { SerialScreen } from "./serial";
import type { ActivationCard } from "./types";

const CARD: ActivationCard = {
  id: "a1",
  device_key: "FT-X1-00000042",
  product_name: "ft-x1",
  vehicle: "2019 Honda Civic",
  type: "new-device",
  state: "verify-connection",
  step: "verify-connection",
  position: 3,
  total: 9,
  owner: "Ann Lee",
  owner_id: "u1",
  updated_at: "2026-11-20T12:00:00Z",
  updated_by: "Ann Lee",
  outcome: null,
};

/** A server that knows these unfinished activations; what was asked of it. */
function holding(...results: ActivationCard[]) {
  const asked: string[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const { pathname, searchParams } = new URL((request as Request).url);
    asked.push(`${pathname} ${searchParams.get("scope")} ${searchParams.get("state")}`);
    return Response.json({ results, count: results.length, end_cursor: null });
  });
  return asked;
}

afterEach(() => vi.restoreAllMocks());

/** Says when what the list asked for is there, and asks for nothing itself. */
function WhenAnswered() {
  const { isSuccess } = useInfiniteQuery({ ...unfinishedQuery("mine"), enabled: false });
  return isSuccess ? <p>The answer is there</p> : null;
}

/** Comes on screen with the script of the list, and says whether one asks. */
const WhenFetched = fetched(async () => {
  await import("./parts/unfinished-here");
  return { default: WhetherAsked };
});

function WhetherAsked() {
  const { queryKey } = unfinishedQuery("mine");
  const isAsked = useQueryClient().getQueryCache().find({ queryKey }) !== undefined;
  return <p>{isAsked ? "It is asked" : "Nothing is asked"}</p>;
}

test("beneath the serial number stands what one has left half-way, and leads on with it", async () => {
  const asked = holding(CARD);
  begin(aPerson(), "t");
  await showPage(<SerialScreen deviceKey={undefined} />);
  const list = await screen.findByRole("region", { name: "Unfinished activations" });
  expect(await within(list).findByRole("link", { name: "FT-X1-00000042" })).toHaveAttribute(
    "href",
    "/activation/device?id=a1&step=verify-connection",
  );
  expect(within(list).getByText("2019 Honda Civic")).toBeVisible();
  expect(new Set(asked)).toEqual(new Set(["/v1/activations mine open"]));
});

test("where nothing is half done the page is about the serial number alone", async () => {
  holding();
  begin(aPerson(), "t");
  await showPage(
    <>
      <SerialScreen deviceKey={undefined} />
      <WhenAnswered />
    </>,
  );
  expect(await screen.findByText("The answer is there")).toBeVisible();
  expect(screen.queryByText("Unfinished activations")).toBeNull();
  expect(screen.queryByText("Nothing is waiting")).toBeNull();
});

test.each([
  ["a guest", undefined],
  ["an outside rep", aRep(true)],
  ["somebody who has retired", aPerson({ roles: ["retired"], is_retired: true })],
])("%s is not asked about activations", async (_, person) => {
  const asked = holding(CARD);
  if (person) begin(person, "t");
  await showPage(
    <>
      <SerialScreen deviceKey={undefined} />
      <WhenFetched />
    </>,
  );
  expect(await screen.findByText("Nothing is asked")).toBeVisible();
  expect(screen.getByRole("button", { name: "Continue" })).toBeVisible();
  expect(asked).toEqual([]);
});
