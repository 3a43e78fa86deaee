import { i18n } from "@lingui/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { messages as en } from "~/i18n/en.po";
import { messages as fr } from "~/i18n/fr.po";
import { useAskedForBusiness } from "~/shared/session/ask-business";
import { amend, begin, end } from "~/shared/session/session";
import { aPerson, aRep, aWork } from "~/testing/a-person";
import { showPage } from "~/testing/show";
import QuickOrderScreen from "./quick-order-screen";

afterEach(() => {
  vi.restoreAllMocks();
  act(() => end());
  act(() => i18n.loadAndActivate({ locale: "en", messages: en }));
});

test.each([
  ["an installer", aPerson(), /You do not have purchasing rights/],
  ["a consumer", aPerson({ is_b2c: true }), /No linked business account/],
])("%s is told before a row is typed why none can be added", async (_, person, why) => {
  begin(person, "token");
  await showPage(<QuickOrderScreen />);
  expect(await screen.findByText(why)).toBeVisible();
  expect(screen.queryByRole("textbox")).toBeNull();
});

test("whoever may buy has rows to type in", async () => {
  begin(aPerson({ purchasing_rights: true }), "token");
  await showPage(<QuickOrderScreen />);
  expect(screen.getAllByRole("textbox").length).toBeGreaterThan(1);
  expect(screen.queryByText(/You do not have purchasing rights/)).toBeNull();
});

test("a row takes no pictures, and of its number no more than a line may hold", async () => {
  begin(aPerson({ purchasing_rights: true }), "token");
  await showPage(<QuickOrderScreen />);
  const sku = screen.getByRole("textbox", { name: "SKU, row 1" });
  const quantity = screen.getByRole("textbox", { name: "Quantity, row 1" });
  await userEvent.type(sku, "CS-1🚗2");
  await userEvent.type(quantity, "12🚗345");
  expect([sku, quantity].map((one) => (one as HTMLInputElement).value)).toEqual(["CS-12", "9999"]);
  await userEvent.clear(quantity);
  await userEvent.type(quantity, "1.5");
  expect(quantity).toHaveValue("1.5"); // to be judged, and not fifteen
});

test("a row is taken out by the keyboard alone", async () => {
  begin(aPerson({ purchasing_rights: true }), "token");
  await showPage(<QuickOrderScreen />);
  const rows = screen.getAllByRole("textbox", { name: /^SKU/ }).length;
  screen.getByRole("textbox", { name: "Quantity, row 1" }).focus();
  await userEvent.tab();
  expect(screen.getByRole("button", { name: "Remove row 1" })).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  expect(screen.getAllByRole("textbox", { name: /^SKU/ })).toHaveLength(rows - 1);
});

test("a list that was used for one business is not changed for another", async () => {
  const listed = {
    id: "list-1",
    name: "Mondays",
    is_own: true,
    is_shared: false,
    may_change: true,
  };
  const list = { ...listed, made_by: "Ann Lee", count: 1, updated_at: "2026-08-03T12:00:00Z" };
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) => {
    const { pathname } = new URL((asked as Request).url);
    if (pathname === "/v1/saved-lists") return Response.json({ results: [list] });
    if (pathname === "/v1/saved-lists/list-1")
      return Response.json({ ...list, rows: [{ sku: "FT-IT-0001-STD", quantity: 2 }] });
    return new Response(null, { status: 404 });
  });
  begin(aRep(), "token");
  amend({ work: aWork(true) });
  await showPage(<QuickOrderScreen />);
  await userEvent.click(screen.getByRole("button", { name: "Saved lists" }));
  await userEvent.click(await screen.findByRole("button", { name: "Use Mondays" }));
  await vi.waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const { business, ...work } = aWork(true);
  act(() => amend({ work: { ...work, business: business && { ...business, code: "N2000" } } }));
  await userEvent.click(screen.getByRole("button", { name: "Save as a list" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Save as a list" }));
  expect(dialog.getByLabelText("Name")).toHaveValue("");
});

const ONE_READY = { rows: [], ready: 1, merged: 0, refused: 0, pieces: 1, total: 0 };

test.each([
  [{ refused: 1 }, "1 can be added. 1 cannot be added.", /^1 peut .*ajoutée. 1 ne peut pas/],
  [
    { merged: 1 },
    "1 can be added. 1 is counted with others.",
    /ajoutée. 1 est comptée avec d.autres.$/,
  ],
  [{ ready: 0, merged: 2 }, "2 are counted with others.", /^2 sont comptées avec d.autres.$/],
])(
  "of the rows it is counted what becomes of any, and of none nothing: %o",
  async (some, said, dit) => {
    vi.spyOn(globalThis, "fetch").mockImplementation(async () =>
      Response.json({ ...ONE_READY, ...some }),
    );
    begin(aPerson({ purchasing_rights: true }), "token");
    await showPage(<QuickOrderScreen />);
    await userEvent.type(screen.getAllByRole("textbox")[0] as HTMLElement, "A-1");
    await waitFor(() => expect(screen.getByRole("status")).toHaveTextContent(RegExp(`^${said}$`)));
    act(() => i18n.loadAndActivate({ locale: "fr", messages: fr }));
    expect(screen.getByRole("status")).toHaveTextContent(dit);
  },
);

test("the prices of a business go with it, and another one can be chosen where they stood", async () => {
  begin(aRep(), "token");
  amend({ work: aWork(true) });
  const row = {
    row: 1,
    sku: "A-1",
    quantity: "2",
    verdict: "ready",
    pieces: 2,
    later: 0,
    name: "Remote",
    total: 120,
  };
  const order = { rows: [row], ready: 1, merged: 0, refused: 0, pieces: 2, total: 120 };
  let isChosen = true;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    if (!(request as Request).url.endsWith("/v1/quick-orders/check"))
      return Response.json({ results: [], count: 0 });
    return isChosen
      ? Response.json(order)
      : Response.json({ code: "business_needed" }, { status: 409 });
  });
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  await showPage(
    <QueryClientProvider client={cache}>
      <QuickOrderScreen />
    </QueryClientProvider>,
  );
  await userEvent.type(screen.getByRole("textbox", { name: "SKU, row 1" }), "A-1");
  await waitFor(() => expect(screen.getAllByText("$120.00")).toHaveLength(2)); // of the row, and of all

  isChosen = false;
  act(() => amend({ work: aWork(false) }));
  await act(() => cache.refetchQueries({ type: "active" }));
  await waitFor(() => expect(screen.queryByText("$120.00")).toBeNull());
  expect(screen.getByRole("textbox", { name: "SKU, row 1" })).toHaveValue("A-1");
  await userEvent.click(screen.getByRole("button", { name: "Select Business" }));
  expect(renderHook(useAskedForBusiness).result.current).toBeDefined();
});
