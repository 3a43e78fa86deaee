import { createFileRoute } from "@tanstack/react-router";
import { productAddress } from "~/features/catalogue/address";
import { ProductScreen } from "~/features/catalogue/product-screen";
import { productQuery } from "~/features/catalogue/queries";
import { ahead } from "~/shared/api/ahead";
import { addFromList, addVariant } from "~/shared/cart/actions";

export const Route = createFileRoute("/_default/product/{-$id}")({
  validateSearch: productAddress,
  loader: ({ context: { queryClient }, params }) => {
    if (params.id) ahead(queryClient, productQuery(params.id));
  },
  component: Product,
});

function Product() {
  const { id } = Route.useParams();
  const { sku } = Route.useSearch();
  return <ProductScreen id={id} sku={sku} actionFor={addFromList} variantAction={addVariant} />;
}
