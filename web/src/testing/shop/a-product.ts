import type { Pricing, ProductSummary } from "~/shared/catalogue/types";

const net = (amount: number) => ({ start: { net: { amount, currency: "USD" as const } } });

export function aPrice(amount: number | null, more: Partial<Pricing["why"]> = {}): Pricing {
  return {
    priceRange: amount === null ? null : net(amount),
    priceRangeUndiscounted: net(100),
    msrp: 100,
    why: { rule: "approved_brand", listName: "Dealer 2", kind: "tier", endsAt: null, ...more },
  };
}

export function aProduct(more: Partial<ProductSummary> = {}): ProductSummary {
  return {
    id: "p1",
    name: "Compustar R285 Remote Start",
    sku: "CS-RS-0001-1W",
    suffix: "1W",
    defaultVariant: { id: "v1", sku: "CS-RS-0001-1W" },
    brand: { name: "Compustar", slug: "compustar" },
    category: { name: "Remote Start", slug: "remote-start" },
    image: { url: "/pictures/products/remote-start.svg", alt: "Remote Start, drawing" },
    metadata: [{ key: "manufacture_case_qty", value: "5" }],
    caseQuantity: 5,
    isAvailable: true,
    isAvailableForPurchase: true,
    availability: "in_stock",
    onHand: null,
    restockOn: null,
    isOnApprovedList: false,
    pricing: aPrice(75),
    ...more,
  };
}
