import { useQueryClient } from "@tanstack/react-query";
import { screen } from "@testing-library/react";
import { useEffect, useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { purchaseQuery } from "~/shared/plans/queries";
import { usePurchase } from "~/shared/plans/use-purchase";
import { aPurchase } from "~/testing/a-purchase";
import { showPage } from "~/testing/show";
import { CompleteScreen } from "./complete-screen";

afterEach(() => {
  vi.restoreAllMocks();
});

/** The page of the purchase, which goes on when the server says that it is complete. */
function Bought() {
  const cache = useQueryClient();
  const [first, setFirst] = useState(aPurchase("paying"));
  const { answer } = usePurchase(first);
  useEffect(() => {
    cache.setQueryData(purchaseQuery("p1").queryKey, aPurchase("paying"));
    setFirst(aPurchase("confirmed", {}, { rev: 9, ended: true, allowed: [] }));
  }, [cache]);
  return answer.state === "confirmed" ? <CompleteScreen id="p1" /> : null;
}

test("a purchase that was seen to be complete is never shown as incomplete", async () => {
  vi.spyOn(globalThis, "fetch").mockReturnValue(new Promise(() => undefined));
  await showPage(<Bought />);
  expect(await screen.findByText(/The plans are active/)).toBeVisible();
  expect(screen.queryByText(/not complete yet/)).toBeNull();
});
