import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { showPage } from "~/testing/show";
import type { Account } from "./account";
import { AccountScreen } from "./account-screen";

const IVAN: Account = {
  id: "p1",
  name: "Ivan Petrov",
  email: "ivan@turnkey.example",
  business_code: "CA1",
  is_locked: false,
  is_retired: false,
  awaits_password: false,
};

/** A server that holds this account and keeps that it was locked. */
function holding(account: Account) {
  const asked: string[] = [];
  let held = account;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const { url, method } = request as Request;
    asked.push(`${method} ${new URL(url).pathname}`);
    if (method === "GET") return Response.json(held);
    held = { ...held, is_locked: true };
    return new Response(null, { status: 204 });
  });
  return asked;
}

afterEach(() => {
  vi.restoreAllMocks();
});

const LOCK = { name: "Lock the account" };

test("an account is locked after a question, and is shown as locked", async () => {
  const asked = holding(IVAN);
  await showPage(<AccountScreen who={IVAN.email} />);
  expect(await screen.findByText("In use")).toBeVisible();
  await userEvent.click(screen.getByRole("button", LOCK));
  const dialog = await screen.findByRole("dialog", { name: "Lock this account?" });
  expect(asked).not.toContain("POST /v1/user/p1/lock");
  await userEvent.click(within(dialog).getByRole("button", LOCK));
  expect(await screen.findByText("Locked")).toBeVisible();
  expect(asked).toContain("POST /v1/user/p1/lock");
  expect(screen.queryByRole("button", LOCK)).toBeNull();
  expect(dialog).not.toBeInTheDocument();
});

test("no means no", async () => {
  const asked = holding(IVAN);
  await showPage(<AccountScreen who={IVAN.email} />);
  await userEvent.click(await screen.findByRole("button", LOCK));
  await userEvent.click(await screen.findByRole("button", { name: "Cancel" }));
  expect(asked.filter((one) => one.startsWith("POST"))).toEqual([]);
});

test("a lock that is being sent is not left, and says why it failed", async () => {
  const answers: ((answer: Response) => void)[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) =>
    (request as Request).method === "POST"
      ? new Promise((answer) => answers.push(answer))
      : Response.json(IVAN),
  );
  await showPage(<AccountScreen who={IVAN.email} />);
  await userEvent.click(await screen.findByRole("button", LOCK));
  const dialog = within(await screen.findByRole("dialog", { name: "Lock this account?" }));
  await userEvent.click(dialog.getByRole("button", LOCK));
  await waitFor(() => expect(answers).toHaveLength(1));
  expect(dialog.getByRole("button", { name: "Cancel" })).toBeDisabled();
  await userEvent.keyboard("{Escape}");
  answers[0]?.(Response.json({ detail: "Not now." }, { status: 503 }));
  expect(await dialog.findByRole("alert")).toBeVisible();
});

test("an unknown address says so, and nothing is asked without one", async () => {
  const fetched = vi
    .spyOn(globalThis, "fetch")
    .mockImplementation(async () => Response.json({ code: "not_found" }, { status: 404 }));
  const { unmount } = await showPage(<AccountScreen who={undefined} />);
  expect(fetched).not.toHaveBeenCalled();
  unmount();
  await showPage(<AccountScreen who="nobody@turnkey.example" />);
  expect(await screen.findByText("Nobody has this email address or id.")).toBeVisible();
});

test("a person is erased once their address is typed again, and not while runs of theirs are open", async () => {
  const asked: string[] = [];
  let open = [{ kind: "activation", id: "r1" }];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const { url, method } = request as Request;
    const path = new URL(url).pathname;
    asked.push(`${method} ${path}`);
    if (path.endsWith("/open-runs")) return Response.json({ results: open });
    if (method === "GET") return Response.json(IVAN);
    return Response.json({ token: "erased-1", rows: {} });
  });
  await showPage(<AccountScreen who={IVAN.email} />);
  const erase = { name: "Erase this person" };
  await userEvent.click(await screen.findByRole("button", erase));
  const dialog = await screen.findByRole("dialog", { name: "Erase this person?" });
  expect(await within(dialog).findByText(/activation r1/)).toBeVisible();
  expect(within(dialog).getByRole("button", erase)).toBeDisabled();
  open = [];
  await userEvent.click(within(dialog).getByRole("button", { name: "Cancel" }));
  await userEvent.click(screen.getByRole("button", erase));
  const again = await screen.findByRole("dialog", { name: "Erase this person?" });
  await userEvent.type(within(again).getByLabelText(/typed again/), IVAN.email);
  await userEvent.type(within(again).getByLabelText(/Who asked/), "by letter");
  await waitFor(() => expect(within(again).getByRole("button", erase)).toBeEnabled());
  await userEvent.click(within(again).getByRole("button", erase));
  await waitFor(() => expect(again).not.toBeInTheDocument());
  expect(asked).toContain("POST /v1/operations/account/p1/erase");
});

test("who has no account is erased by their address", async () => {
  const bodies: Record<string, unknown> = {};
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const { url, method } = request as Request;
    const { pathname } = new URL(url);
    if (method === "GET") return Response.json({ code: "not_found" }, { status: 404 });
    bodies[pathname] = await (request as Request).json();
    if (pathname.endsWith("/open-runs")) return Response.json({ results: [] });
    return Response.json({ token: "erased-1", rows: {} });
  });
  const email = "driver@home.example";
  await showPage(<AccountScreen who={email} />);
  const erase = { name: "Erase this person" };
  await userEvent.click(await screen.findByRole("button", erase));
  const dialog = await screen.findByRole("dialog", { name: "Erase this person?" });
  await userEvent.type(within(dialog).getByLabelText(/typed again/), email);
  await userEvent.type(within(dialog).getByLabelText(/Who asked/), "by letter");
  await waitFor(() => expect(within(dialog).getByRole("button", erase)).toBeEnabled());
  await userEvent.click(within(dialog).getByRole("button", erase));
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  expect(bodies).toEqual({
    "/v1/operations/address/open-runs": { email },
    "/v1/operations/address/erase": { address: email, email, reason: "by letter" },
  });
});

test.each([
  ["with an account", IVAN.email, "/v1/operations/account/p1/known"],
  ["without one", "driver@home.example", "/v1/operations/address/known"],
])("what is known of somebody %s is waited for as long as it takes", async (_, email, path) => {
  const kept: string[] = [];
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:known");
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLElement) {
    kept.push((this as HTMLAnchorElement).download);
  });
  const limits = vi.spyOn(AbortSignal, "timeout");
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    const { url, method } = request as Request;
    if (method === "POST" && new URL(url).pathname === path)
      return new Response('\n{"person_id":null,"tables":{}}');
    return email === IVAN.email
      ? Response.json(IVAN)
      : Response.json({ code: "not_found" }, { status: 404 });
  });
  await showPage(<AccountScreen who={email} />);
  const button = await screen.findByRole("button", { name: "Download what is known of them" });
  limits.mockClear();
  await userEvent.click(button);
  await waitFor(() => expect(kept).toEqual(["known.json"]));
  expect(limits).not.toHaveBeenCalled();
});

/** A page whose address becomes another one at a press. */
function Moving() {
  const [who, setWho] = useState<string | undefined>(IVAN.email);
  return (
    <>
      <button type="button" onClick={() => setWho(undefined)}>
        Elsewhere
      </button>
      <AccountScreen who={who} />
    </>
  );
}

test("who is looked for follows the address", async () => {
  holding(IVAN);
  await showPage(<Moving />);
  const field = () => screen.getByRole("textbox", { name: "Email or id of a person" });
  expect(field()).toHaveValue(IVAN.email);
  await userEvent.click(screen.getByRole("button", { name: "Elsewhere" }));
  expect(field()).toHaveValue("");
});

test("what they did is found in the audit", async () => {
  holding(IVAN);
  await showPage(<AccountScreen who={IVAN.email} />);
  const link = await screen.findByRole("link", { name: "In the audit" });
  expect(link).toHaveAttribute("href", "/audit?actor=user%3Ap1");
});

test("nobody is erased while it is not known which runs they have", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) =>
    (request as Request).url.includes("open-runs")
      ? Response.json(
          { status: 403, code: "forbidden", title: "Forbidden", detail: "Not yours." },
          { status: 403, headers: { "Content-Type": "application/problem+json" } },
        )
      : Response.json(IVAN),
  );
  await showPage(<AccountScreen who={IVAN.email} />);
  await userEvent.click(await screen.findByRole("button", { name: "Erase this person" }));
  const dialog = await screen.findByRole("dialog", { name: "Erase this person?" });
  expect(await within(dialog).findByRole("alert")).toBeVisible();
  expect(within(dialog).getByRole("button", { name: "Erase this person" })).toBeDisabled();
});
