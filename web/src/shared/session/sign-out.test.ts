import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { renew } from "~/shared/api/fetch";
import { aPerson } from "~/testing/a-person";
import { begin, end, session } from "./session";
import { signOut } from "./sign-out";
import { tellUntold } from "./untold";

let asked: { path: string; body: unknown }[] = [];
let online = false;

const hint = () => /turnkey_session=(\w+)/.exec(document.cookie)?.[1];
const setHint = (value: string, more = "") => {
  // biome-ignore lint/suspicious/noDocumentCookie: as the server sets it
  document.cookie = `turnkey_session=${value}; Path=/${more}`;
};

beforeEach(() => {
  asked = [];
  online = false;
  setHint("1");
  vi.spyOn(globalThis, "fetch").mockImplementation(async (wanted, more) => {
    if (!online) throw new TypeError("Failed to fetch");
    const request = new Request(new URL(String(wanted), location.origin), more as RequestInit);
    const path = new URL(request.url).pathname;
    asked.push({ path, body: await request.json().catch(() => undefined) });
    if (path === "/v1/auth/sign-out") setHint("", "; Max-Age=0");
    return path === "/v1/auth/sign-out"
      ? new Response(null, { status: 204 })
      : Response.json({ access_token: "t", user: aPerson() });
  });
});
afterEach(async () => {
  online = true;
  await tellUntold();
  end();
  setHint("", "; Max-Age=0");
  vi.restoreAllMocks();
});

async function leaveWithoutNetwork() {
  await expect(signOut()).rejects.toMatchObject({ code: "unreachable" });
  expect(session().state).toBe("anonymous");
}

test("whoever logged out without a network is not signed in again by the next start", async () => {
  begin(aPerson(), "t");
  await leaveWithoutNetwork();
  online = true;
  await expect(renew()).resolves.toBe(false);
  expect([asked, session().state]).toEqual([[], "anonymous"]);
});

test("the server hears of it with the signal, once", async () => {
  begin(aPerson(), "t");
  await leaveWithoutNetwork();
  window.dispatchEvent(new Event("online"));
  await tellUntold();
  expect(hint()).toBe("0"); // still out of reach
  online = true;
  window.dispatchEvent(new Event("online"));
  await tellUntold();
  expect(asked).toEqual([{ path: "/v1/auth/sign-out", body: {} }]);
  expect(hint()).toBeUndefined();
  await tellUntold();
  expect(asked).toHaveLength(1);
});

test("whoever signed in before it was told is left alone", async () => {
  begin(aPerson(), "t");
  await leaveWithoutNetwork();
  setHint("1"); // as the server does for the next person
  online = true;
  await tellUntold();
  expect(asked).toEqual([]);
});

test("a sign-in that goes with its tab is told by its own token, and a remembered one beside it stays", async () => {
  begin(aPerson(), "t", "of this tab");
  await leaveWithoutNetwork();
  expect(hint()).toBe("1");
  online = true;
  await tellUntold();
  expect(asked).toEqual([{ path: "/v1/auth/sign-out", body: { refresh_token: "of this tab" } }]);
});
