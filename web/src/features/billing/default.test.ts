import { useQueryClient } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { clearAlerts, useAlerts } from "~/shared/alerts/alerts";
import { methodsQuery } from "~/shared/payments/queries";
import { aBankAccount, aCard } from "~/testing/shop/a-payment-method";
import { holding } from "~/testing/show";
import { useDefault, withDefault } from "./default";

afterEach(() => {
  vi.restoreAllMocks();
  act(clearAlerts);
});

test("exactly one method is the default after a change, and it is shown", () => {
  const methods = {
    results: [
      aCard({ id: "a", isMain: true }),
      aCard({ id: "b" }),
      aBankAccount({ id: "c", isHidden: true }),
    ],
    allowed: { cards: true, bank: true, cod: true, terms: true },
    creditAvailable: null,
  };
  const after = withDefault(methods, "c");
  expect(after.results.filter(({ isMain }) => isMain).map(({ id }) => id)).toEqual(["c"]);
  expect(after.results.some(({ isHidden }) => isHidden)).toBe(false);
  expect(methods.results[0]?.isMain).toBe(true);
});

test("what was undone is told no more", async () => {
  const methods = {
    results: [aCard({ id: "a", isMain: true }), aCard({ id: "b" })],
    allowed: { cards: true, bank: true, cod: true, terms: true },
    creditAvailable: null,
  };
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json(methods));
  const { result } = renderHook(
    () => ({ choose: useDefault(), alerts: useAlerts(), cache: useQueryClient() }),
    { wrapper: holding() },
  );
  result.current.cache.setQueryData(methodsQuery.queryKey, methods);
  await act(() => result.current.choose(aCard({ id: "b" })));
  expect(result.current.alerts).toHaveLength(1);
  act(() => result.current.alerts[0]?.action?.run());
  await waitFor(() => expect(result.current.alerts).toHaveLength(0));
});
