import { useQuery, useQueryClient } from "@tanstack/react-query";
import { screen } from "@testing-library/react";
import { useEffect, useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { aPurchase } from "~/testing/shop/a-purchase";
import { show } from "~/testing/show";
import { purchaseQuery } from "../queries";
import { usePurchase } from "./use-purchase";

afterEach(() => {
  vi.restoreAllMocks();
});

/** The page of a purchase that becomes complete, and what the next page finds of it then. */
function Bought() {
  const cache = useQueryClient();
  const [first, setFirst] = useState(aPurchase("paying"));
  const { answer } = usePurchase(first);
  useEffect(() => {
    cache.setQueryData(purchaseQuery("p1").queryKey, aPurchase("paying"));
    setFirst(aPurchase("confirmed", {}, { rev: 9, ended: true, allowed: [] }));
  }, [cache]);
  return answer.state === "confirmed" ? <Next /> : null;
}

function Next() {
  const held = useQuery(purchaseQuery("p1")).data;
  return <p>The next page finds it {held?.state}</p>;
}

test("a purchase that was seen to be complete is complete for the page after it", async () => {
  vi.spyOn(globalThis, "fetch").mockReturnValue(new Promise(() => undefined));
  show(<Bought />);
  expect(await screen.findByText("The next page finds it confirmed")).toBeVisible();
});
