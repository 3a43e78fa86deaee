import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { showPage } from "~/testing/show";
import { VisitScreen } from "./screen";

const ASKED = {
  id: "v1",
  device_key: "FT-X1-00000042",
  mine: false,
  state: "waiting",
  visitor: "Ivan Petrov",
  business: "Harbour Car Audio",
  reason: "the siren",
  answered_by: null,
  asked_at: "2026-11-24T12:00:00Z",
  expires_at: "2026-11-27T12:00:00Z",
  ended_at: null,
};

/** A server that holds this visit; an answer settles it. */
function served(visit: object) {
  const answers: unknown[] = [];
  let held: object = { ...ASKED, ...visit };
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) => {
    const request = asked as Request;
    if (request.method === "POST") {
      const said = await request.json();
      answers.push(said);
      held = {
        ...held,
        state: said.answer === "yes" ? "permitted" : "refused",
        answered_by: "Marcus",
      };
    }
    return Response.json(held);
  });
  return answers;
}

async function shown(visit: object) {
  const answers = served(visit);
  await showPage(<VisitScreen id="v1" onStart={async () => undefined} />);
  await screen.findByText("FT-X1-00000042");
  return answers;
}

afterEach(() => vi.restoreAllMocks());

test("whoever owns the device sees who asks and why", async () => {
  await shown({});
  expect(screen.getByText("Ivan Petrov, Harbour Car Audio")).toBeVisible();
  expect(screen.getByText("the siren")).toBeVisible();
  expect(screen.getByText("Waiting for the owner")).toBeVisible();
});

test.each([
  ["Yes, for this visit", "yes", "Permitted"],
  ["No", "no", "Refused"],
])("they press %s, and that is what is sent", async (button, answer, state) => {
  const answers = await shown({});
  await userEvent.click(screen.getByRole("button", { name: button }));
  expect(await screen.findByText(state)).toBeVisible();
  expect(answers).toEqual([{ answer }]);
  expect(screen.queryByRole("button", { name: "No" })).toBeNull();
});

test.each([
  ["waiting", ["Take back"]],
  ["permitted", ["Service the device", "End the visit"]],
  ["refused", []],
  ["ended", []],
])("whoever asks has no answer to give: %s", async (state, buttons) => {
  await shown({ mine: true, state });
  const names = screen.queryAllByRole("button").map((button) => button.textContent);
  expect(names).toEqual(buttons);
});
