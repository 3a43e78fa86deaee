import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { showPage } from "~/testing/show";
import { AuditScreen } from "./screen";

afterEach(() => vi.restoreAllMocks());

/** The audit without entries; answers what of it was asked for last. */
function empty() {
  const asked = vi
    .spyOn(globalThis, "fetch")
    .mockImplementation(async () => Response.json({ results: [], end_cursor: null }));
  return () => new URL((asked.mock.lastCall as [Request])[0].url).searchParams;
}

test("one object and the days are a part of the address, as every other filter is", async () => {
  empty();
  const { history } = await showPage(<AuditScreen filters={{ action: "paid invoices" }} />);
  await userEvent.type(screen.getByRole("textbox", { name: "Object" }), " x1 ");
  await userEvent.type(screen.getByLabelText("From"), "2026-11-19");
  await userEvent.type(screen.getByLabelText("To"), "2026-11-20");
  await userEvent.click(screen.getByRole("button", { name: "Search" }));
  await waitFor(() =>
    expect(Object.fromEntries(new URLSearchParams(history.location.search))).toEqual({
      action: "paid invoices",
      object_id: "x1",
      since: "2026-11-19",
      until: "2026-11-20",
    }),
  );
});

test("the days of the address are asked for as a whole, where one is", async () => {
  const asked = empty();
  const filters = { object_id: "x1", since: "2026-11-19", until: "2026-11-20" };
  await showPage(<AuditScreen filters={filters} />);
  expect(screen.getByLabelText("To")).toHaveValue("2026-11-20");
  await waitFor(() => expect(asked().get("object_id")).toBe("x1"));
  const [since, until] = ["since", "until"].map((name) => new Date(asked().get(name) ?? ""));
  expect(since).toEqual(new Date(2026, 10, 19));
  expect(until).toEqual(new Date(2026, 10, 21));
});
