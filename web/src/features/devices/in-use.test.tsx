import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { refusing } from "~/testing/refusing";
import { show } from "~/testing/show";
import { InUse } from "./in-use";

afterEach(() => {
  vi.restoreAllMocks();
});

test("an owner ends what somebody else does to the device", async () => {
  const sent = vi
    .spyOn(globalThis, "fetch")
    .mockResolvedValue(Response.json({ device_key: "FT-X1-00000042", ended: true }));
  show(<InUse deviceKey="FT-X1-00000042" />);
  await userEvent.click(screen.getByRole("button", { name: "End their activation" }));
  const asked = sent.mock.calls[0]?.[0] as Request;
  expect([asked.method, new URL(asked.url).pathname]).toEqual([
    "POST",
    "/v1/devices/FT-X1-00000042/free",
  ]);
  expect(asked.headers.get("Idempotency-Key")).toBeTruthy();
});

test("what takes too long is told, and may be tried again", async () => {
  const slow = { code: "unavailable", status: 503, detail: "Please try again.", retryAfter: 2 };
  refusing("/v1/devices/FT-X1-00000042/free", slow);
  show(<InUse deviceKey="FT-X1-00000042" />);
  await userEvent.click(screen.getByRole("button", { name: "End their activation" }));
  expect(await screen.findByRole("alert")).toBeVisible();
  expect(screen.getByRole("button", { name: "End their activation" })).toBeEnabled();
});
