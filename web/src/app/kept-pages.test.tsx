/** The pages of activations and devices without a signal, from what is kept of them. */
import { onlineManager, useQueryClient } from "@tanstack/react-query";
import { act, cleanup, screen } from "@testing-library/react";
import { type ReactNode, useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DeviceScreen as ActivationScreen } from "~/features/activation/screen";
import { DevicesScreen } from "~/features/devices/list-screen";
import { DeviceScreen } from "~/features/devices/screen";
import type { KeptAnswer } from "~/shared/kept/answers";
import { end, recognise } from "~/shared/session/session";
import { aPerson, aWork } from "~/testing/a-person";
import { aKeptAnswer } from "~/testing/runs/a-kept-answer";
import { showPage } from "~/testing/show";
import { fillFromKept } from "./kept/keep-answers";

const KEY = "FT-X1-00000042";
const AT = new Date();
AT.setHours(0, 0, 0, 0);

beforeEach(() => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  onlineManager.setOnline(false);
  recognise(aPerson(), aWork(false));
});
afterEach(() => {
  cleanup(); // or what waits would be asked for as this person, with the signal
  end();
  onlineManager.setOnline(true);
  vi.restoreAllMocks();
});

function From({ kept, children }: { kept: readonly KeptAnswer[]; children: ReactNode }) {
  const cache = useQueryClient();
  useState(() => fillFromKept(cache, kept));
  return children;
}

const shown = (page: ReactNode, ...kept: KeptAnswer[]) => showPage(<From kept={kept}>{page}</From>);

const device = (
  <DeviceScreen
    deviceKey={KEY}
    words={{ step: {}, type: {} }}
    firmware={() => null}
    waits={(id) => `waits for ${id}`}
  />
);

test("a run stands at its step, says of when it is, and its form may be kept", async () => {
  await shown(<ActivationScreen id="a1" step={undefined} />, aKeptAnswer({ at: AT.getTime() }));
  expect(await screen.findByRole("heading", { name: "Power on the device" })).toBeVisible();
  expect(screen.getByText(/^As of 12:00\sAM\. What is new/)).toBeVisible();
  expect(screen.getByRole("button", { name: "Keep until there is a signal" })).toBeEnabled();
});

test("a run that was not kept says so instead of loading for ever", async () => {
  await shown(<ActivationScreen id="a2" step={undefined} />, aKeptAnswer());
  expect(await screen.findByText(/^This is not kept here\./)).toBeVisible();
});

test("a device is shown with what waits for its activations, and without its log", async () => {
  const run = {
    id: "a1",
    type: "new-device",
    step: "power-on-device",
    outcome: null,
    created_at: AT.toISOString(),
    ended_at: null,
    owner: "Ann Lee",
  };
  const data = {
    device_key: KEY,
    product_name: "ft-x1",
    device: null,
    in_use: false,
    may_release: false,
    is_plan_suspended: false,
    activations: [run],
  };
  const queryKey = ["get", "/v1/devices/{device_key}", { device_key: KEY }];
  await shown(device, aKeptAnswer({ kind: "device", id: KEY, data, queryKey }));
  expect(await screen.findByText(/^As of /)).toBeVisible();
  expect(screen.getByText("waits for a1")).toBeVisible();
  expect(screen.getByText(/^This is not kept here\./)).toBeVisible();
});

test("more of a list is not offered without a signal, and is with it", async () => {
  const queryKey = ["get", "/v1/devices", { starts_with: "", limit: 20 }];
  const page = { results: [{ device_key: KEY, at: AT.toISOString() }], end_cursor: "c1" };
  const data = { pages: [page], pageParams: [undefined] };
  await shown(
    <DevicesScreen startsWith="" />,
    aKeptAnswer({ kind: "devices", id: "", data, queryKey }),
  );
  expect(await screen.findByText(/^There is more\. It can be shown/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event("online")));
  expect(await screen.findByRole("button", { name: "Show more" })).toBeEnabled();
});

test("the list of devices is shown as it was, and is no file without a signal", async () => {
  const queryKey = ["get", "/v1/devices", { starts_with: "", limit: 20 }];
  const page = { results: [{ device_key: KEY, at: AT.toISOString() }], end_cursor: null };
  const data = { pages: [page], pageParams: [undefined] };
  await shown(
    <DevicesScreen startsWith="" />,
    aKeptAnswer({ kind: "devices", id: "", data, queryKey }),
  );
  expect(await screen.findByRole("link", { name: KEY })).toBeVisible();
  expect(screen.getByText(/^As of /)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Download as CSV" })).toBeNull();
  expect(screen.queryByRole("navigation", { name: "Status" })).toBeNull();
});
