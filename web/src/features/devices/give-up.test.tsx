import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { refusing } from "~/testing/refusing";
import { showPage } from "~/testing/show";
import { GiveUp } from "./give-up";

const KEY = "FT-X1-00000042";

afterEach(() => {
  vi.restoreAllMocks();
});

test("a device is given up after a question, and the list is shown", async () => {
  const sent = vi
    .spyOn(globalThis, "fetch")
    .mockResolvedValue(Response.json({ device_key: KEY, released: true }));
  const { history } = await showPage(<GiveUp deviceKey={KEY} />);
  await userEvent.click(screen.getByRole("button", { name: "Give this device up" }));
  await userEvent.click(await screen.findByRole("button", { name: "Cancel" }));
  expect(sent).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole("button", { name: "Give this device up" }));
  expect(await screen.findByRole("dialog", { name: `Give up ${KEY}?` })).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Give it up" }));
  await waitFor(() => expect(history.location.pathname).toBe("/devices"));
  const asked = sent.mock.calls[0]?.[0] as Request;
  expect([asked.method, new URL(asked.url).pathname]).toEqual([
    "POST",
    `/v1/devices/${KEY}/release`,
  ]);
  expect(asked.headers.get("Idempotency-Key")).toBeTruthy();
});

test("why it cannot be given up is told where it was asked", async () => {
  const paid = { code: "device_still_paid", status: 409, detail: "This device has a plan." };
  refusing(`/v1/devices/${KEY}/release`, paid);
  await showPage(<GiveUp deviceKey={KEY} />);
  await userEvent.click(screen.getByRole("button", { name: "Give this device up" }));
  await userEvent.click(await screen.findByRole("button", { name: "Give it up" }));
  expect(await screen.findByText(/It can be given up once the plan has ended/)).toBeVisible();
  expect(screen.getByRole("dialog")).toBeVisible();
});
