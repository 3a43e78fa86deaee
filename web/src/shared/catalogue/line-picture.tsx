import { memo } from "react";
import type { Slugged } from "~/shared/navigation/catalogue";
import { ProductPicture } from "./product-picture";

type LinePictureProps = {
  url: string;
  name: string;
  sku: string;
  /** Those of `useBrands`, which the list of the lines asks once for all of them. */
  brands: readonly Slugged[];
};

/** Beside a line, which says what it is of. Its brand is read from the name, which begins with it. */
export const LinePicture = memo(function Picture({ url, name, sku, brands }: LinePictureProps) {
  const brand = brandIn(name, brands);
  return <ProductPicture image={{ url, alt: "" }} name={name} sku={sku} brand={brand} small />;
});

/** The slug of the brand that the name begins with. */
export function brandIn(name: string, brands: readonly Slugged[]): string | undefined {
  const first = name.toLowerCase();
  return brands
    .filter((one) => first.startsWith(`${one.name.toLowerCase()} `))
    .sort((one, other) => other.name.length - one.name.length)[0]?.slug;
}
