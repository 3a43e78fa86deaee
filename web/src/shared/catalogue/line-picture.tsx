import type { Slugged } from "~/shared/navigation/catalogue";
import { useBrands } from "./lists";
import { ProductPicture } from "./product-picture";

type LinePictureProps = { url: string; name: string; sku: string };

/** Beside a line, which says what it is of. Its brand is read from the name, which begins with it. */
export function LinePicture({ url, name, sku }: LinePictureProps) {
  const brand = brandIn(name, useBrands());
  return <ProductPicture image={{ url, alt: "" }} name={name} sku={sku} brand={brand} small />;
}

/** The slug of the brand that the name begins with. */
export function brandIn(name: string, brands: readonly Slugged[]): string | undefined {
  const first = name.toLowerCase();
  return brands
    .filter((one) => first.startsWith(`${one.name.toLowerCase()} `))
    .sort((one, other) => other.name.length - one.name.length)[0]?.slug;
}
