import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { begin } from "~/shared/session/session";
import { fetched } from "~/shared/ui/fetched";
import { aPerson, aRep } from "~/testing/a-person";
import { AN_ACTIVATION_SUMMARY } from "~/testing/runs/an-activation-summary";
import { showPage } from "~/testing/show";
import { type Action, perform } from "../calls";
import { unfinishedQuery } from "../queries";
import type { ActivationSummary } from "../types";
import { SerialScreen } from "./serial";

/** A server that knows these unfinished activations; what was asked of it. */
function holding(...results: ActivationSummary[]) {
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
  await import("../unfinished/unfinished-here");
  return { default: WhetherAsked };
});

function WhetherAsked() {
  const { queryKey } = unfinishedQuery("mine");
  const isAsked = useQueryClient().getQueryCache().find({ queryKey }) !== undefined;
  return <p>{isAsked ? "It is asked" : "Nothing is asked"}</p>;
}

test.each([
  ["an installer", aPerson()],
  ["an outside rep", aRep(true)],
])(
  "beneath the serial number stands what %s has left half-way, and leads on with it",
  async (_, person) => {
    const asked = holding(AN_ACTIVATION_SUMMARY);
    begin(person, "t");
    await showPage(<SerialScreen deviceKey={undefined} />);
    const list = await screen.findByRole("region", { name: "Unfinished activations" });
    expect(await within(list).findByRole("link", { name: "FT-X1-00000042" })).toHaveAttribute(
      "href",
      "/activation/device?id=a1&step=verify-connection",
    );
    expect(within(list).getByText("2019 Honda Civic")).toBeVisible();
    expect(new Set(asked)).toEqual(new Set(["/v1/activations mine open"]));
  },
);

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
  ["somebody who has retired", aPerson({ roles: ["retired"], is_retired: true })],
])("%s is not asked about activations", async (_, person) => {
  const asked = holding(AN_ACTIVATION_SUMMARY);
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

test.each([
  ["an installer", aPerson(), 1],
  ["an outside rep", aRep(true), 0],
])(
  "a device of another business leads to a visit of whoever may ask: %s",
  async (_, person, links) => {
    vi.spyOn(globalThis, "fetch").mockImplementation(async (request) =>
      (request as Request).method === "GET"
        ? Response.json({ results: [], count: 0, end_cursor: null })
        : Response.json({ status: 404, code: "unknown_device", title: "Unknown" }, { status: 404 }),
    );
    begin(person, "t");
    await showPage(<SerialScreen deviceKey="FT-X1-00000042" />);
    await userEvent.click(await screen.findByRole("button", { name: "Continue" }));
    expect(await screen.findByText(/Did a guest begin with it/)).toBeVisible();
    expect(screen.queryAllByRole("link", { name: /Ask the owner/ })).toHaveLength(links);
  },
);

/** Refuses whoever solved no puzzle, as past the limits of all guests; the puzzles that were sent. */
function pastItsLimits() {
  const sent: (string | null)[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) => {
    if (!(asked instanceof Request)) return Response.json({ challenge: "c", difficulty: 0 });
    if (asked.method === "GET") return Response.json({ results: [], count: 0, end_cursor: null });
    const puzzle = asked.headers.get("X-Bot-Check");
    sent.push(puzzle);
    const status = puzzle ? 404 : 429;
    const code = puzzle ? "unknown_device" : "throttled";
    return Response.json({ status, code, title: code }, { status });
  });
  return sent;
}

test("the guesses of others keep no guest from the device in hand", async () => {
  const sent = pastItsLimits();
  await showPage(<SerialScreen deviceKey="FT-X1-00000042" />);
  await userEvent.type(await screen.findByRole("textbox", { name: /SIM/ }), "48356");
  await userEvent.click(screen.getByRole("button", { name: "Continue" }));
  await waitFor(() => expect(sent).toEqual([null, "c.0"]));
});

test("a guest who lost the link gets another one for what is half done", async () => {
  const sent: unknown[] = [];
  const activation = {
    ...AN_ACTIVATION_SUMMARY,
    saved_at: AN_ACTIVATION_SUMMARY.updated_at,
    saved_by: "Guest",
  };
  const found = {
    device_key: AN_ACTIVATION_SUMMARY.device_key,
    activation_types: ["new-device"],
    activation,
  };
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) => {
    const request = asked as Request;
    if (new URL(request.url).pathname !== "/v1/activations")
      return Response.json({ results: [found] });
    sent.push(await request.json());
    return Response.json({ id: "a1", view: {}, resume_token: "another" });
  });
  const { history } = await showPage(<SerialScreen deviceKey="FT-X1-00000042" />);
  await userEvent.type(await screen.findByRole("textbox", { name: /SIM/ }), "48356");
  await userEvent.click(screen.getByRole("button", { name: "Continue" }));
  await userEvent.click(await screen.findByRole("button", { name: "Continue this activation" }));
  await waitFor(() =>
    expect(history.location.href).toBe("/activation/device?id=a1#resume=another"),
  );
  expect(sent).toEqual([
    {
      device_key: "FT-X1-00000042",
      iccid_last_digits: "48356",
      type: "new-device",
      advanced: false,
    },
  ]);
});

test.each<Action>([
  { type: "CHANGE_DEVICE", device_key: "FT-X1-00000042", iccid_last_digits: "48356" },
  { type: "SUBMIT", data: { new_device_key: "FT-X1-00000042", iccid_last_digits: "48356" } },
])("nor from the next one ($type)", async (action) => {
  const sent = pastItsLimits();
  const at = { id: "a1", seq: 1, view: { step: "replace-device" } };
  await expect(perform(action, "k", at)).rejects.toMatchObject({ status: 404 });
  expect(sent).toEqual([null, "c.0"]);
});

test("what proves nothing is refused at once", async () => {
  const sent = pastItsLimits();
  const at = { id: "a1", seq: 1, view: { step: "device-testing" } };
  await expect(perform({ type: "ACT", command: "arm" }, "k", at)).rejects.toMatchObject({
    status: 429,
  });
  expect(sent).toEqual([null]);
});
