import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type ComponentType, useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { live } from "~/shared/live/live";
import { begin, end } from "~/shared/session/session";
import { aPerson } from "~/testing/a-person";
import { aRunOnScreen } from "~/testing/runs/a-run-on-screen";
import { anActivation } from "~/testing/runs/an-activation";
import { showPage } from "~/testing/show";
import { Failure } from "../commands/failure";
import { type Run, useActivation } from "../session-hook";
import { AbandonDialog } from "./abandon";
import { ChangeDeviceDialog } from "./change-device";
import { HandOverDialog } from "./hand-over";

const FIRST = anActivation("set-vehicle-details");
const WORDS: Record<string, string> = { device_key: "This device is unknown." };

/** What the server says to whatever is asked of the run. */
const answers = vi.fn<() => Promise<Response>>();

beforeEach(() => {
  begin(aPerson(), "token");
  vi.spyOn(live, "follow").mockReturnValue(() => undefined);
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) =>
    (request as Request).method === "GET" ? Response.json(FIRST) : answers(),
  );
});

afterEach(() => {
  act(() => end());
  vi.restoreAllMocks();
});

type DialogOfRun = ComponentType<{ run: Run; onClose: () => void }>;

let asked: Run["ask"] = () => undefined;

function Page({ dialog: Asks }: { dialog: DialogOfRun }) {
  const run = useActivation(FIRST);
  asked = run.ask;
  const [open, setOpen] = useState(true);
  return (
    <>
      {open ? <Asks run={run} onClose={() => setOpen(false)} /> : null}
      <Failure run={run} />
    </>
  );
}

async function openDialog(dialog: DialogOfRun) {
  await showPage(<Page dialog={dialog} />);
  return screen.findByRole("dialog");
}

function refuse(status: number, field?: string): void {
  const validation_errors = field ? [{ field, message: WORDS[field] }] : [];
  answers.mockImplementation(async () =>
    Response.json({ code: "conflict", detail: "Not now.", validation_errors }, { status }),
  );
}

test("another device that is refused stays typed, with why beside it", async () => {
  refuse(422, "device_key");
  await openDialog(ChangeDeviceDialog);
  await userEvent.type(screen.getByRole("textbox", { name: "Serial number" }), "FT-X1-00000042");
  await userEvent.type(screen.getByRole("textbox", { name: /ICCID/ }), "12345");
  await userEvent.click(screen.getByRole("button", { name: "Change the device" }));
  expect(await screen.findByRole("alert")).toBeVisible();
  expect(screen.getAllByRole("alert")).toHaveLength(1);
  expect(screen.getByRole("textbox", { name: "Serial number" })).toHaveValue("FT-X1-00000042");
  expect(screen.getByRole("textbox", { name: "Serial number" })).toBeInvalid();
});

test("what was refused is said nowhere any more once the dialog is left", async () => {
  refuse(409);
  await openDialog(AbandonDialog);
  await userEvent.type(screen.getByRole("textbox"), "The car is gone");
  await userEvent.click(screen.getByRole("button", { name: "Abandon" }));
  expect(await screen.findByRole("alert")).toBeVisible();
  expect(screen.getByRole("textbox")).toHaveValue("The car is gone");
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(screen.queryByRole("alert")).toBeNull();
});

/** What the run was asked, each with its key. */
async function sent() {
  const requests = vi.mocked(fetch).mock.calls.map(([request]) => request as Request);
  const asked = requests.filter(({ method, url }) => method === "POST" && url.endsWith("/abandon"));
  return Promise.all(
    asked.map(async (request) => ({
      ...((await request.clone().json()) as { reason: string }),
      key: request.headers.get("Idempotency-Key"),
    })),
  );
}

test("another try sends what is typed by then, and the same as the same", async () => {
  answers.mockRejectedValue(new TypeError("fetch failed"));
  await openDialog(AbandonDialog);
  await userEvent.type(screen.getByRole("textbox"), "The car");
  await userEvent.click(screen.getByRole("button", { name: "Abandon" }));
  await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
  await waitFor(async () => expect(await sent()).toHaveLength(2));
  await waitFor(() => expect(screen.getByRole("button", { name: "Abandon" })).toBeEnabled());
  await userEvent.type(screen.getByRole("textbox"), " is gone");
  answers.mockImplementation(async () => Response.json({ ...FIRST, rev: FIRST.rev + 1 }));
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const [first, again, changed] = await sent();
  expect(again).toEqual(first);
  expect(changed?.reason).toBe("The car is gone");
  expect(changed?.key).not.toBe(first?.key);
});

test("what did not arrive is sent once more, and the dialog goes when it was taken", async () => {
  answers.mockRejectedValue(new TypeError("fetch failed"));
  await openDialog(AbandonDialog);
  await userEvent.click(screen.getByRole("button", { name: "Abandon" }));
  const again = await screen.findByRole("button", { name: "Try again" });
  answers.mockImplementation(async () => Response.json({ ...FIRST, rev: FIRST.rev + 1 }));
  await userEvent.click(again);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("while something else is under way nothing is confirmed, and what is typed stays until it is", async () => {
  const colleague = { id: "u2", name: "Bo Berg", may_buy: true };
  const handed: unknown[] = [];
  let answer: (response: Response) => void = () => undefined;
  const other = new Promise<Response>((resolve) => {
    answer = resolve;
  });
  vi.mocked(fetch).mockImplementation(async (request) => {
    const { url, method } = request as Request;
    if (method === "GET" && url.endsWith("/colleagues"))
      return Response.json({ results: [colleague] });
    if (method === "GET") return Response.json(FIRST);
    if (!/hand-?over/.test(url)) return other;
    handed.push(await (request as Request).json());
    return Response.json({ ...FIRST, rev: FIRST.rev + 2 });
  });
  await openDialog(HandOverDialog);
  await userEvent.click(await screen.findByRole("radio", { name: "Bo Berg" }));
  await userEvent.type(screen.getByRole("textbox"), "The key is in the box");
  act(() => asked({ type: "BACK" }));
  expect(screen.getByText(/Something else is under way/)).toBeVisible();
  expect(screen.getByRole("button", { name: "Hand over" })).toBeDisabled();
  await act(async () => answer(Response.json({ ...FIRST, rev: FIRST.rev + 1 })));
  expect(screen.queryByText(/Something else is under way/)).toBeNull();
  expect(screen.getByRole("textbox")).toHaveValue("The key is in the box");
  await userEvent.click(screen.getByRole("button", { name: "Hand over" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(handed).toMatchObject([{ note: "The key is in the box" }]);
});

test("what cannot be done where the run stands by now says so", async () => {
  const { run } = aRunOnScreen(anActivation("set-vehicle-details", { allowed: ["SUBMIT"] }));
  await showPage(<AbandonDialog run={run} onClose={() => undefined} />);
  expect(await screen.findByText(/cannot be done where the activation stands/)).toBeVisible();
  expect(screen.getByRole("button", { name: "Abandon" })).toBeDisabled();
});
