import { isOfTrim } from "./columns";
import type { ExternalWiring } from "./types";

type ProductsOfTrim = ExternalWiring["products"][number];

/** A product that an outside source recommends, and for which trim. */
export type Recommended = { of: ProductsOfTrim; product: ProductsOfTrim["products"][number] };

/** What outside sources recommend, for one trim or for all. */
export function recommendedIn(products: ExternalWiring["products"], trim = ""): Recommended[] {
  return products
    .filter((one) => isOfTrim(one, trim))
    .flatMap((of) => of.products.map((product) => ({ of, product })));
}
