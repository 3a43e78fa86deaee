import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { begin, end, session } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { showPage } from "~/testing/show";
import { Sessions } from "./sessions";

const STILL = "You may be logged in still, here and on every other device.";

afterEach(() => {
  vi.restoreAllMocks();
  end();
});

const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

async function logsOutEverywhere(answer: () => Promise<Response>) {
  vi.spyOn(globalThis, "fetch").mockImplementation(answer);
  begin(aPerson(), "t");
  const page = await showPage(<Sessions />, "/profile");
  await press("Log out everywhere");
  return page.history;
}

test("whoever cannot be logged out everywhere is told, and may leave this browser alone", async () => {
  await logsOutEverywhere(() => Promise.reject(new TypeError("Failed to fetch")));
  expect(await screen.findByText(STILL)).toBeVisible();
  expect(session().state).toBe("signed-in");
  await press("Log out here alone");
  await vi.waitFor(() => expect(session().state).toBe("anonymous"));
});

test("whoever is logged out everywhere is so here, and is told nothing more", async () => {
  const history = await logsOutEverywhere(async () => new Response(null, { status: 204 }));
  await vi.waitFor(() => expect(history.location.pathname).toBe("/login"));
  expect(session().state).toBe("anonymous");
  expect(screen.queryByText(STILL)).toBeNull();
});
