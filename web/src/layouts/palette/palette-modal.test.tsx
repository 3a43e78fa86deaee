import { act, renderHook, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { useAlerts } from "~/shared/alerts/alerts";
import { amend, begin, end } from "~/shared/session/session";
import { aPerson, aRep, aWork } from "~/testing/a-person";
import { showPage } from "~/testing/show";
import PaletteModal from "./palette-modal";

afterEach(() => {
  end();
  vi.restoreAllMocks();
});

const SITE = { links: {}, features: { wiring_diagrams: false } };
const KEY = "FT-X1-00000042";

/** Presses “Renew” of a device in the palette; answers where that leads, what was quoted and how often it was closed. */
async function renewed(plan_id: string | null, status = 200) {
  const quoted: unknown[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) => {
    const request = asked as Request;
    if (request.url.includes("/v1/palette")) {
      const device = { kind: "device", id: KEY, name: KEY, note: "X1", plan_id };
      return Response.json({ results: [device] });
    }
    if (!request.url.includes("/v1/payments")) return Response.json(SITE);
    quoted.push(await request.json());
    return Response.json(status === 200 ? { uuid: "quote-1" } : { code: "away" }, { status });
  });
  act(() => begin(aPerson({ purchasing_rights: true }), "t"));
  act(() => amend({ work: aWork(false) }));
  const onClose = vi.fn();
  const { history } = await showPage(<PaletteModal onClose={onClose} />);
  await userEvent.type(await screen.findByRole("combobox"), `renew ${KEY}`);
  await userEvent.click(await screen.findByRole("option", { name: `Renew ${KEY}` }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  return { history, quoted };
}

test("a device that has a plan is renewed up to its payment", async () => {
  const { history, quoted } = await renewed("premium_prepaid-1_year");
  await waitFor(() =>
    expect(history.location.href).toBe("/cart/checkout/subscriptions?uuid=quote-1"),
  );
  expect(quoted).toEqual([
    { line_items: [{ device_key: KEY, plan_id: "premium_prepaid-1_year" }] },
  ]);
});

test("a device without one begins at the choice of a plan", async () => {
  const { history, quoted } = await renewed(null);
  await waitFor(() => expect(history.location.href).toBe(`/subscriptions/plans?device=${KEY}`));
  expect(quoted).toEqual([]);
});

test("a renewal that fails gives way to the page, where that is told", async () => {
  const { history } = await renewed("premium_prepaid-1_year", 503);
  const { result } = renderHook(useAlerts);
  await waitFor(() => expect(result.current).toHaveLength(1));
  expect(history.location.href).toBe("/");
});

/** The palette of somebody for whom one thing is found by a word. */
async function found(thing: object, word: string, person = aPerson()) {
  const sent: unknown[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (asked) => {
    const request = asked as Request;
    if (request.url.includes("/v1/palette")) return Response.json({ results: [thing] });
    if (request.method !== "PUT") return Response.json(SITE);
    sent.push(await request.json());
    return Response.json(aWork(true));
  });
  act(() => begin(person, "t"));
  act(() => amend({ work: aWork(false) }));
  const { history } = await showPage(<PaletteModal onClose={() => undefined} />, "/devices");
  await userEvent.type(await screen.findByRole("combobox"), word);
  return { history, sent };
}

test("whoever may not buy finds the device, and is offered no renewal", async () => {
  const device = { kind: "device", id: KEY, name: KEY, note: "ft-x1", plan_id: "p1" };
  const { history } = await found(device, KEY);
  const option = await screen.findByRole("option", { name: new RegExp(`^${KEY} ?FT-X1$`) });
  expect(screen.queryByRole("option", { name: /^Renew/ })).toBeNull();
  await userEvent.click(option);
  await waitFor(() => expect(history.location.pathname).toBe(`/devices/${KEY}`));
});

test("a rep who finds a business works for it, and begins at the start page", async () => {
  const business = { kind: "business", id: "N1001", name: "Harbour Car Audio", note: "N1001" };
  const { history, sent } = await found({ ...business, plan_id: null }, "harbour", aRep());
  await userEvent.click(await screen.findByRole("option", { name: /^Harbour/ }));
  await waitFor(() => expect(history.location.pathname).toBe("/"));
  expect(sent).toEqual([{ sapBpCode: "N1001" }]);
});

test.each([
  ["quick", "Quick Order", "/search?qo=true"],
  ["activate", "Activate a device", "/activation"],
])("what can be done is found as well: %s", async (word, name, to) => {
  const product = { kind: "product", id: "p1", name: "QUICK-1", note: "A kit", plan_id: null };
  const { history } = await found(product, word, aPerson({ purchasing_rights: true }));
  await userEvent.click(await screen.findByRole("option", { name }));
  await waitFor(() => expect(history.location.href).toBe(to));
});
