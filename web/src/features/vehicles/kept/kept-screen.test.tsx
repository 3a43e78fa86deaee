import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepAnswer, keepWho } from "~/shared/kept/answers";
import { keep } from "~/shared/kept/kept";
import { end, recognise } from "~/shared/session/session";
import { aPerson, aWork } from "~/testing/a-person";
import { aKeptAnswer } from "~/testing/runs/a-kept-answer";
import { show, showPage } from "~/testing/show";
import { someCaches } from "~/testing/some-caches";
import { Awaited, KeptScreen } from "./kept-screen";

beforeEach(() => vi.stubGlobal("caches", someCaches()));
afterEach(() => {
  end();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

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
  const [text, lacks] = [["Look first."], ["Could not be loaded: Alarm"]];
  await keep({ id: "guide:g", kind: "guide", title: "Checklist", at, text, lacks, sections: [] });
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
  expect(screen.getByRole("status")).toHaveTextContent("Could not be loaded: Alarm");
});

test("a page that is not kept comes by itself once the signal is back and the person is proven", async () => {
  let prove = () => {};
  const asked = vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    if (request instanceof Request) return Response.json({});
    await new Promise<void>((resolve) => {
      prove = resolve;
    });
    return Response.json({ access_token: "t", user: aPerson() });
  });
  const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  recognise(aPerson(), aWork(false));
  const go = vi.fn();
  show(<Awaited next="/rewards?page=2" go={go} />);
  expect(screen.getByText(/^The page that you opened is not kept here\./)).toBeVisible();
  online.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event("online")));
  await waitFor(() => expect(asked).toHaveBeenCalledOnce());
  expect(go).not.toHaveBeenCalled();
  prove();
  await waitFor(() => expect(go).toHaveBeenCalledExactlyOnceWith("/rewards?page=2"));
});

test("a network that reaches nobody leads nobody away from the list", async () => {
  const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  let answer = (_: Response) => {};
  const asked = vi.spyOn(globalThis, "fetch").mockImplementation(
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
  const go = vi.fn();
  show(<Awaited next="/rewards" go={go} />);
  online.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event("online")));
  await waitFor(() => expect(asked).toHaveBeenCalledOnce());
  expect(go).not.toHaveBeenCalled();
  answer(Response.json({}));
  await waitFor(() => expect(go).toHaveBeenCalledExactlyOnceWith("/rewards"));
});

test("what is kept leads to no page that is none of ours", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json({}));
  const go = vi.fn();
  show(<Awaited next="//elsewhere.example/rewards" go={go} />);
  await waitFor(() => expect(go).toHaveBeenCalledExactlyOnceWith("/"));
});

test("a store that is broken shows nothing as kept", async () => {
  const broken = () => Promise.reject(new DOMException("no", "SecurityError"));
  vi.stubGlobal("caches", { has: broken, open: broken, delete: broken });
  show(<KeptScreen />);
  expect(await screen.findByRole("button", { name: "Try again" })).toBeVisible();
});
