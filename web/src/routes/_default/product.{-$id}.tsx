import { createFileRoute } from "@tanstack/react-router";
import { ProductScreen } from "~/features/catalogue/product-screen";
import { productQuery } from "~/features/catalogue/queries";
import { ahead } from "~/shared/api/ahead";
import { addFromList, addVariant } from "~/shared/cart/actions";

export const Route = createFileRoute("/_default/product/{-$id}")({
  loader: ({ context: { queryClient }, params }) => {
    if (params.id) ahead(queryClient, productQuery(params.id));
  },
  component: Product,
});

function Product() {
  const { id } = Route.useParams();
  return <ProductScreen id={id} actionFor={addFromList} variantAction={addVariant} />;
}
