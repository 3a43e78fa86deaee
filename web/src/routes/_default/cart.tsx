import { createFileRoute } from "@tanstack/react-router";
import { CartScreen } from "~/features/cart/cart-screen";

export const Route = createFileRoute("/_default/cart")({ component: CartScreen });
