import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { begin, end } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { anActivation } from "~/testing/runs/an-activation";
import { showPage } from "~/testing/show";
import { Ended } from "../ended/ended";
import { ChooseTypeScreen } from "./choose-type";

const KEY = "FT-X1-00000042";

/** A network that says this of the device; what was asked of it. */
function aNetwork(found: object | undefined, status = 200): unknown[] {
  const asked: unknown[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    asked.push(await (input as Request).json());
    const answer = found ? { results: [found] } : { status, code: "unknown_device" };
    return Response.json(answer, { status });
  });
  return asked;
}

const device = { ...anActivation("power-on-device").view.device, activation_types: ["new-device"] };

afterEach(() => vi.restoreAllMocks());

test("after a reload whoever is signed in chooses the type of the device that the address names", async () => {
  begin(aPerson(), "t");
  const asked = aNetwork(device);
  const { history } = await showPage(<ChooseTypeScreen deviceKey={KEY} />);
  expect(await screen.findByRole("heading", { name: "Activation Type" })).toBeVisible();
  expect(screen.getByRole("radio")).toBeChecked();
  expect(asked).toEqual([{ device_key: KEY, isCanadianUser: true }]);
  expect(history.location.pathname).toBe("/");
});

test.each([
  ["is unknown", undefined, 404],
  ["has an activation already", { ...device, activation: { id: "a1" } }, 200],
])("a device that %s is entered anew", async (_, found, status) => {
  begin(aPerson(), "t");
  aNetwork(found, status);
  const { history } = await showPage(<ChooseTypeScreen deviceKey={KEY} />);
  await waitFor(() => expect(history.location.href).toBe(`/activation?device=${KEY}`));
});

test("a network that is away is asked again", async () => {
  begin(aPerson(), "t");
  aNetwork(undefined, 503);
  await showPage(<ChooseTypeScreen deviceKey={KEY} />);
  expect(await screen.findByRole("button", { name: "Try again" })).toBeVisible();
});

test("a guest proves possession again", async () => {
  end();
  const asked = aNetwork(device);
  const { history } = await showPage(<ChooseTypeScreen deviceKey={KEY} />);
  await waitFor(() => expect(history.location.href).toBe(`/activation?device=${KEY}`));
  expect(asked).toEqual([]);
});

test.each([
  ["whoever is signed in", "/activation/select-activation-type", () => begin(aPerson(), "t")],
  ["a guest after a reload", "/activation", end],
])("Back from the first step leads %s to %s", async (_, to, before) => {
  before();
  const { view } = anActivation("choose-type");
  const { history } = await showPage(<Ended view={view} state="choose-type" />);
  await waitFor(() => expect(history.location.href).toBe(`${to}?device=${KEY}`));
});
