import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { begin, end, session } from "~/shared/session/session";
import { aPerson, aWork } from "~/testing/a-person";
import { showPage } from "~/testing/show";
import type { Installer } from "../queries";
import { Invitations } from "./invitations";
import { Team } from "./team";

const NOOR: Installer = {
  id: "noor",
  user_id: "noor",
  installer_id: "noor",
  dealer_id: "d1",
  first_name: "Noor",
  last_name: "Haddad",
  email: "noor@turnkey.example",
  is_owner: false,
  is_retired: false,
  is_purchaser: false,
  last_seen_at: null,
  open_activations: 0,
};

/** What was sent that changes something, and the answer to it. */
let sent: string[];
let answer: () => Promise<Response>;
let pending: string[];
let team: Installer[];
/** Every look at a list waits for it. */
let listed: Promise<unknown>;

beforeEach(() => {
  begin(aPerson({ is_owner: true }), "token");
  sent = [];
  team = [NOOR];
  pending = ["ann@turnkey.example", "bob@turnkey.example"];
  listed = Promise.resolve();
  answer = async () => Response.json(NOOR);
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) => {
    const { method, url } = asked as Request;
    if (method !== "GET") {
      sent.push(method);
      return answer();
    }
    await listed;
    if (url.endsWith("/v1/auth/user"))
      return Response.json({ user: aPerson({ is_retired: true }), ...aWork(false) });
    return url.includes("/installers")
      ? Response.json({ results: team, count: team.length })
      : Response.json({
          results: pending.map((email) => ({ token: email, email, expires_at: "2026-12-01" })),
        });
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  act(() => end());
});

test("a right is shown at once, and taken back with the reason when it is refused", async () => {
  let refuse = (_: Response) => undefined as unknown;
  answer = () => new Promise((later) => (refuse = later));
  await showPage(<Team dealerId="d1" isOwner />);
  await userEvent.click(await screen.findByRole("button", { name: "Let buy: Noor Haddad" }));
  expect(await screen.findByText(/installer and purchaser/)).toBeVisible();
  await waitFor(() => expect(sent).toEqual(["PATCH"]));
  const body = { code: "forbidden", detail: "You may not do this.", status: 403 };
  refuse(Response.json(body, { status: 403 }));
  expect(await screen.findByRole("button", { name: "Let buy: Noor Haddad" })).toBeVisible();
  expect(await screen.findByRole("alert")).toBeVisible();
});

test("nobody is retired by one press: the question names the person", async () => {
  await showPage(<Team dealerId="d1" isOwner />);
  const retire = await screen.findByRole("button", { name: "Retire Noor Haddad" });
  await userEvent.click(retire);
  const question = await screen.findByRole("dialog", { name: "Retire Noor Haddad?" });
  await userEvent.click(within(question).getByRole("button", { name: "Cancel" }));
  expect(sent).toEqual([]);
  await userEvent.click(retire);
  const again = await screen.findByRole("dialog", { name: "Retire Noor Haddad?" });
  await userEvent.click(within(again).getByRole("button", { name: "Retire" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(sent).toEqual(["PATCH"]);
  expect(retire).toHaveFocus();
});

test("an owner who retires reads what that is for themselves, and works there no more", async () => {
  const me = { ...NOOR, id: "u1", user_id: "u1", is_owner: true };
  team = [me];
  await showPage(<Team dealerId="d1" isOwner />);
  await userEvent.click(await screen.findByRole("button", { name: "Retire Noor Haddad" }));
  const question = await screen.findByRole("dialog", { name: "Retire Noor Haddad?" });
  expect(question).toHaveTextContent(/until another owner brings you back/);
  await userEvent.click(within(question).getByRole("button", { name: "Retire" }));
  await waitFor(() => expect(session()).toMatchObject({ user: { is_retired: true } }));
  expect(sent).toEqual(["PATCH"]);
});

test("an invitation is withdrawn after a question, and the next one has the focus", async () => {
  await showPage(<Invitations dealerId="d1" />);
  const name = "Withdraw the invitation of ann@turnkey.example";
  const withdraw = await screen.findByRole("button", { name });
  await userEvent.click(withdraw);
  const question = await screen.findByRole("dialog", { name: `${name}?` });
  let list = () => undefined as unknown;
  listed = new Promise((now) => (list = () => now(undefined)));
  pending = ["bob@turnkey.example"];
  await userEvent.click(within(question).getByRole("button", { name: "Withdraw" }));
  await waitFor(() => expect(withdraw).toHaveFocus());
  list();
  await waitFor(() => expect(screen.getByText("bob@turnkey.example").closest("li")).toHaveFocus());
  expect(screen.queryByText("ann@turnkey.example")).toBeNull();
  expect(sent).toEqual(["DELETE"]);
});
