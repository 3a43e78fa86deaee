import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { showPage } from "~/testing/show";
import type { Payout } from "./queries";
import { PayoutsSection } from "./section";

const REFUSED: Payout = {
  dealer_id: "harbour",
  dealer: "Harbour Car Audio",
  month: "2026-07",
  amount: 12.34,
  state: "refused",
  attempt: 1,
  transfer_id: null,
  detail: "The account is closed.",
  paid_at: null,
  changed_at: "2026-08-03T12:00:00Z",
};

test("money is sent again only after a question, with a word of why", async () => {
  const sent: Request[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    if ((request as Request).method !== "POST")
      return Response.json({ results: [REFUSED], count: 1 });
    sent.push((request as Request).clone());
    return Response.json({ dealer_id: "harbour", month: "2026-07", attempt: 2 }, { status: 202 });
  });
  await showPage(<PayoutsSection address={{}} />);
  await userEvent.click(await screen.findByRole("button", { name: /^Try again/ }));
  expect(screen.getByText("The account is closed.")).toHaveAttribute("lang", "en");
  const asked = within(await screen.findByRole("dialog"));
  expect(asked.getByText(/12\.34 for 2026-07 is sent to the account of Harbour/)).toBeVisible();
  await userEvent.click(asked.getByRole("button", { name: /^Send/ }));
  expect(sent).toHaveLength(0);
  await userEvent.type(asked.getByRole("textbox", { name: /Why/ }), "Another account");
  await userEvent.click(asked.getByRole("button", { name: /^Send/ }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(await sent[0]?.json()).toEqual({ note: "Another account" });
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("what was paid in another way is taken off the list, with a word of how", async () => {
  const sent: Request[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    if ((request as Request).method !== "POST")
      return Response.json({ results: sent.length ? [] : [REFUSED], count: 1 - sent.length });
    sent.push((request as Request).clone());
    return Response.json({ dealer_id: "harbour", month: "2026-07", note: "By cheque" });
  });
  await showPage(<PayoutsSection address={{}} />);
  await userEvent.click(await screen.findByRole("button", { name: /^Settled otherwise/ }));
  const asked = within(await screen.findByRole("dialog"));
  await waitFor(() => expect(asked.getByRole("textbox", { name: /How/ })).toHaveFocus());
  await userEvent.keyboard("By cheque");
  await userEvent.click(asked.getByRole("button", { name: "Take it off the list" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(new URL(sent[0]?.url ?? "").pathname).toBe("/v1/payouts/harbour/2026-07/settle");
  expect(await screen.findByText("No payouts")).toBeVisible();
});

test.each([
  ["Try again", /^Send/],
  ["Settled otherwise", "Take it off the list"],
])("%s: what is being sent is not left", async (words, send) => {
  const answers: ((answer: Response) => void)[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) =>
    (request as Request).method === "POST"
      ? new Promise((answer) => answers.push(answer))
      : Response.json({ results: [REFUSED], count: 1 }),
  );
  await showPage(<PayoutsSection address={{}} />);
  await userEvent.click(await screen.findByRole("button", { name: new RegExp(`^${words}`) }));
  const asked = within(await screen.findByRole("dialog"));
  await userEvent.type(asked.getByRole("textbox"), "By cheque");
  await userEvent.click(asked.getByRole("button", { name: send }));
  await waitFor(() => expect(answers).toHaveLength(1));
  expect(asked.getByRole("button", { name: "Cancel" })).toBeDisabled();
  await userEvent.keyboard("{Escape}");
  expect(screen.getByRole("dialog")).toBeVisible();
  answers[0]?.(Response.json({ detail: "Not now." }, { status: 503 }));
  expect(await asked.findByRole("alert")).toBeVisible();
  await userEvent.click(asked.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});
