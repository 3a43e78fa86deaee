import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { live } from "~/shared/live/live";
import { begin, end } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { aPlacement } from "~/testing/shop/a-placement";
import { showPage } from "~/testing/show";
import { ApproveOrder } from "./order";

afterEach(() => {
  act(() => end());
  vi.restoreAllMocks();
});

const WAITING = aPlacement({
  version: 4,
  state: "waiting_for_approval",
  allowed: ["APPROVE", "REJECT"],
});

test("another try of an answer sends the word that is typed by then, and the same as the same", async () => {
  const sent: { path: string; note: string; key: string | null }[] = [];
  vi.spyOn(live, "follow").mockReturnValue(() => undefined);
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) => {
    const request = asked as Request;
    if (request.method === "GET") return Response.json(WAITING);
    const { note } = (await request.json()) as { note: string };
    const key = request.headers.get("Idempotency-Key");
    sent.push({ path: new URL(request.url).pathname, note, key });
    throw new TypeError("fetch failed");
  });
  begin(aPerson({ purchasing_rights: true }), "token");
  await showPage(<ApproveOrder first={WAITING} />);
  const word = await screen.findByRole("textbox");
  await userEvent.type(word, "Too");
  await userEvent.click(screen.getByRole("button", { name: "Reject" }));
  await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
  await waitFor(() => expect(sent).toHaveLength(2));
  await waitFor(() => expect(screen.getByRole("button", { name: "Reject" })).toBeEnabled());
  await userEvent.type(word, " much");
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(sent).toHaveLength(3));
  const [first, again, changed] = sent;
  expect(again).toEqual(first);
  expect(changed).toMatchObject({ path: first?.path, note: "Too much" });
  expect(changed?.key).not.toBe(first?.key);
});
