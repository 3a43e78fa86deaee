import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepAnswer, keepWho } from "~/shared/kept/answers";
import { keep } from "~/shared/kept/kept";
import { aKeptAnswer } from "~/testing/a-kept-answer";
import { aPerson, aWork } from "~/testing/a-person";
import { show, showPage } from "~/testing/show";
import { someCaches } from "~/testing/some-caches";
import { KeptScreen } from "./kept-screen";

beforeEach(() => vi.stubGlobal("caches", someCaches()));
afterEach(() => vi.unstubAllGlobals());

test("with nothing kept one tries again, and no link leads where a network is needed", async () => {
  const onRetry = vi.fn();
  show(<KeptScreen onRetry={onRetry} />);
  await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
  expect(onRetry).toHaveBeenCalledOnce();
  expect(screen.queryByRole("link")).toBeNull();
});

test("runs and devices lead to their pages, vehicles and guides are read here", async () => {
  await keepWho({ user: aPerson(), work: aWork(false) });
  await keepAnswer(aKeptAnswer());
  await keepAnswer(aKeptAnswer({ kind: "device", id: "FT-X1-00000042" }));
  await keepAnswer(aKeptAnswer({ kind: "devices", id: "" }));
  const at = new Date().toISOString();
  const text = ["Look first."];
  await keep({ id: "guide:g", kind: "guide", title: "Checklist", at, text, sections: [] });
  await showPage(<KeptScreen waits={(id) => `1 form waits for ${id}`} />);
  const runs = await screen.findByRole("list", { name: "Activations" });
  expect(within(runs).getByRole("link")).toHaveAttribute("href", "/activation/device?id=a1");
  expect(within(runs).getByText("1 form waits for a1")).toBeVisible();
  const devices = within(screen.getByRole("list", { name: "Devices" })).getAllByRole("link");
  expect(devices.map((link) => link.getAttribute("href")).sort()).toEqual([
    "/devices",
    "/devices/FT-X1-00000042",
  ]);
  expect(screen.queryByRole("list", { name: "Vehicles" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: /^Checklist/ }));
  expect(screen.getByText("Look first.")).toBeVisible();
});
