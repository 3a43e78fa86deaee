import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { showPage } from "~/testing/show";
import { type ReceiptsAddress, receiptsAddress } from "./receipts-address";
import { ReceiptsScreen } from "./receipts-screen";

afterEach(() => {
  vi.restoreAllMocks();
});

async function shown(address: ReceiptsAddress) {
  const asked: URL[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    asked.push(new URL((request as Request).url));
    return Response.json({ count: 2, results: [], counts: { charged: 5, declined: 2 } });
  });
  const { history } = await showPage(<ReceiptsScreen address={address} />);
  const tabs = within(await screen.findByRole("navigation", { name: "Status" }));
  return { asked, tabs, history };
}

const wordsOf = (tabs: { getAllByRole: (role: string) => HTMLElement[] }) =>
  tabs.getAllByRole("link").map((link) => link.textContent?.trim());

const file = () => screen.queryByRole("button", { name: "Download as CSV" });

test("what was declined has a tab of its own beside what was charged", async () => {
  const { asked, tabs } = await shown({ ok: "false" });
  await waitFor(() => expect(wordsOf(tabs)).toEqual(["All 7", "Charged 5", "Declined 2"]));
  expect(tabs.getByRole("link", { name: /^Declined/ })).toHaveAttribute("aria-current", "page");
  expect(asked[0]?.searchParams.get("declined_only")).toBe("true");
  expect(asked[0]?.searchParams.get("successes_only")).toBe("false");
});

test("the tabs have their place before the receipts are there, and the file once there is one, beneath them", async () => {
  let answer: (given: Response) => void = () => undefined;
  vi.spyOn(globalThis, "fetch").mockReturnValue(new Promise((given) => (answer = given)));
  await showPage(<ReceiptsScreen address={{}} />);
  const tabs = within(await screen.findByRole("navigation", { name: "Status" }));
  expect(wordsOf(tabs)).toEqual(["All", "Charged", "Declined"]);
  expect(file()).toBeNull();
  const results = [{ uuid: "p1", created_at: "2026-11-27T12:00:00Z", lines: [] }];
  answer(Response.json({ count: 1, results, counts: { charged: 0, declined: 1 } }));
  await waitFor(() => expect(file()).toBeVisible());
  const table = screen.getByRole("table", { name: "Receipts" });
  expect(table.compareDocumentPosition(file() as Node)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test("a page beyond the last one leads to that", async () => {
  const { history } = await shown({ ok: "true", page: 50 });
  await vi.waitFor(() =>
    expect(history.location.href).toBe("/subscriptions/receipts?ok=true&page=1"),
  );
});

test("a page holds as many as one of a table may", () => {
  const limits = ["10", "30", "37", "100"].map((limit) => receiptsAddress({ limit }).limit);
  expect(limits).toEqual([10, 30, undefined, 100]);
});

test("another thing to search by than the transaction is counted with what is folded away", async () => {
  await shown({ by: "subtotal", value: "10" });
  expect(screen.getByRole("button", { name: "Filters (1)" })).toBeInTheDocument();
});

test("an amount is found as the page writes it", async () => {
  const { history } = await shown({ by: "total_charges" });
  await userEvent.type(screen.getByRole("textbox", { name: "Total Charges" }), "$1,234.56");
  await userEvent.click(screen.getByRole("button", { name: "Find" }));
  await vi.waitFor(() => expect(history.location.search).toContain("value=1234.56"));
});

/** A page whose address becomes another one at a press. */
function Moving() {
  const [address, setAddress] = useState<ReceiptsAddress>({ value: "T-1" });
  return (
    <>
      <button type="button" onClick={() => setAddress({})}>
        Elsewhere
      </button>
      <ReceiptsScreen address={address} />
    </>
  );
}

test("what is looked for follows the address", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () =>
    Response.json({ count: 0, results: [], counts: { charged: 0, declined: 0 } }),
  );
  await showPage(<Moving />);
  const field = () => screen.getByRole("textbox", { name: "Transaction ID" });
  expect(field()).toHaveValue("T-1");
  await userEvent.click(screen.getByRole("button", { name: "Elsewhere" }));
  expect(field()).toHaveValue("");
});

test("a search that begins its form anew leaves the focus at the title", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () =>
    Response.json({ count: 0, results: [], counts: { charged: 0, declined: 0 } }),
  );
  await showPage(<Moving />);
  screen.getByRole("textbox", { name: "Transaction ID" }).focus();
  fireEvent.click(screen.getByRole("button", { name: "Elsewhere" }));
  await waitFor(() => expect(screen.getByRole("heading", { name: "Receipts" })).toHaveFocus());
});
