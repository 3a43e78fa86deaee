import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { begin, end } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { aPlan } from "~/testing/shop/a-plan";
import { showPage } from "~/testing/show";
import { PlansScreen } from "./plans-screen";

beforeEach(() => {
  begin(aPerson({ purchasing_rights: true }), "token");
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) =>
    (asked as Request).url.endsWith("/v1/plans")
      ? Response.json({ results: [aPlan(), aPlan({ slug: "drone", display_name: "Drone" })] })
      : Response.json({ code: "not_found" }, { status: 404 }),
  );
});

afterEach(() => {
  vi.restoreAllMocks();
  act(() => end());
});

test("a choice stays where it is and in one place of the history, the next part begins at its top", async () => {
  const moved = vi.spyOn(window, "scrollTo").mockImplementation(() => undefined);
  const choice = {
    devices: ["FT-X1-00000042", "FT-X1-00000043"],
    type: "premium_prepaid",
    plan: undefined,
    slide: "plan-type-selector" as const,
  };
  const { history } = await showPage(<PlansScreen choice={choice} />, "/", { scrolls: true });
  const drone = await screen.findByRole("radio", { name: /Drone/ });
  moved.mockClear();
  const before = history.length;
  await userEvent.click(drone);
  await vi.waitFor(() => expect(history.location.search).toContain("type=drone"));
  expect(history.length).toBe(before);
  await userEvent.click(screen.getByRole("button", { name: "Choose the term" }));
  await vi.waitFor(() => expect(history.location.search).toContain("plan-term-selector"));
  expect(history.length).toBe(before + 1);
  await vi.waitFor(() => expect(moved).toHaveBeenCalledOnce());
});
