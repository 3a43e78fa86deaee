import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { suggestionsQuery } from "~/shared/catalogue/suggestions";
import type { ProductSummary } from "~/shared/catalogue/types";
import type { ProductQuery } from "../../address";

const PAUSE = 180;
const FEWEST_LETTERS = 2;

/** Products for what is typed, and which of them the arrow keys stand on; none until something was typed. */
export function useSuggestions(
  typed: string,
  within: Pick<ProductQuery, "brands" | "categories">,
): {
  products: readonly ProductSummary[];
  active: ProductSummary | undefined;
  /** Whether the key moved something. */
  move: (key: string) => boolean;
} {
  const [settled] = useDebouncedValue(typed, PAUSE);
  const [at, setAt] = useState<{ term: string; place: number }>();
  const asks = typed.length >= FEWEST_LETTERS && settled.length >= FEWEST_LETTERS;
  const found = useQuery({ ...suggestionsQuery(settled, within), enabled: asks });
  const products = asks ? (found.data?.results ?? []) : [];
  const place = at?.term === typed ? at.place : -1;

  function move(key: string): boolean {
    const by = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (by === undefined || products.length === 0) return false;
    const next = place + by;
    setAt({ term: typed, place: next < -1 ? products.length - 1 : next % products.length });
    return true;
  }

  return { products, active: products[place], move };
}
