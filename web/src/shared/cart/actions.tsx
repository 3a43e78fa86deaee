import type { CatalogueProduct, CatalogueVariant, ProductSummary } from "~/shared/catalogue/types";
import { AddToCart } from "./add-to-cart";

/** What lists of products offer for each. */
export function addFromList(product: ProductSummary) {
  return (
    <AddToCart
      compact
      productId={product.id}
      variantId={product.defaultVariant.id}
      name={product.name}
      caseQuantity={product.caseQuantity}
      isForPurchase={product.isAvailableForPurchase}
      hasPrice={product.pricing.priceRange !== null}
    />
  );
}

/** What a product's page offers for the chosen variant. */
export function addVariant(product: CatalogueProduct, variant: CatalogueVariant) {
  return (
    <AddToCart
      key={variant.id}
      productId={product.id}
      variantId={variant.id}
      name={variant.name ? `${product.name}, ${variant.name}` : product.name}
      caseQuantity={product.caseQuantity}
      isForPurchase={product.isAvailableForPurchase}
      hasPrice={variant.pricing.priceRange !== null}
    />
  );
}
