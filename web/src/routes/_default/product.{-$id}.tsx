import { createFileRoute } from "@tanstack/react-router";
import { ProductScreen } from "~/features/catalogue/product-screen";
import { addFromList, addVariant } from "~/shared/cart/actions";

export const Route = createFileRoute("/_default/product/{-$id}")({ component: Product });

function Product() {
  const { id } = Route.useParams();
  return <ProductScreen id={id} actionFor={addFromList} variantAction={addVariant} />;
}
