import type { CSSProperties } from "react";
import { BUILT_IN_BRANDS, type Slugged } from "~/shared/navigation/catalogue";
import { LazyImage } from "~/shared/ui/lazy-image";
import { useBrands } from "./lists";
import classes from "./product-picture.module.css";

type ProductPictureProps = {
  image: { url: string; alt: string };
  name: string;
  sku: string;
  /** Without one it is read from the name, which begins with it. */
  brand?: string;
  /** In a line, without the model, which stands beside it. */
  small?: boolean;
  className?: string;
};

const DRAWN = /^\/pictures\/products\/[\w-]+\.svg$/;
/** Of the colours' circle between one brand and the next. */
const TURN = 360 / BUILT_IN_BRANDS.length;

/**
 * A product told apart at a glance: its photograph as it is, or the drawing of its kind in the colours of the theme, with
 * its model and a band in its brand's colour.
 */
export function ProductPicture(props: ProductPictureProps) {
  const { image, name, sku, brand, small = false, className } = props;
  const drawn = DRAWN.test(image.url);
  const look = [classes.picture, small ? classes.small : "", className].filter(Boolean).join(" ");
  return (
    <span className={look}>
      {drawn ? (
        <svg
          viewBox="0 0 320 240"
          preserveAspectRatio="xMidYMid slice"
          focusable="false"
          role="img"
          aria-label={image.alt}
          aria-hidden={image.alt === ""}
        >
          <use href={`${image.url}#drawing`} />
        </svg>
      ) : (
        <LazyImage url={image.url} alt={image.alt} />
      )}
      {drawn ? brand ? <Band of={brand} /> : <BandByName name={name} /> : null}
      {small || !drawn ? null : <span className={classes.model} data-model={modelOf(name, sku)} />}
    </span>
  );
}

function BandByName({ name }: { name: string }) {
  const brand = brandIn(name, useBrands());
  return brand ? <Band of={brand} /> : null;
}

function Band({ of }: { of: string }) {
  return (
    <span className={classes.band} style={{ "--turn": `${turnOf(of)}deg` } as CSSProperties} />
  );
}

/** The first word of letters and figures in the name, as R285; the SKU where there is none. */
export function modelOf(name: string, sku: string): string {
  const words = name.split(/[\s,/()]+/);
  return words.find((word) => /\d/.test(word) && /^[A-Z][\w-]*$/.test(word)) ?? sku;
}

/** The slug of the brand that the name begins with. */
export function brandIn(name: string, brands: readonly Slugged[]): string | undefined {
  const first = name.toLowerCase();
  return brands
    .filter((one) => first.startsWith(`${one.name.toLowerCase()} `))
    .sort((one, other) => other.name.length - one.name.length)[0]?.slug;
}

/** The brands of the list stand as far apart as they can; one that came from the ERP since, where its slug puts it. */
function turnOf(slug: string): number {
  const place = BUILT_IN_BRANDS.findIndex((one) => one.slug === slug);
  if (place >= 0) return Math.round(place * TURN);
  return [...slug].reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % 360, 0);
}
