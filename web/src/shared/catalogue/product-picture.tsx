import type { CSSProperties } from "react";
import { BUILT_IN_BRANDS } from "~/shared/navigation/catalogue";
import { LazyImage } from "~/shared/ui/pictures/lazy-image";
import classes from "./product-picture.module.css";

type ProductPictureProps = {
  image: { url: string; alt: string };
  name: string;
  sku: string;
  brand: string | undefined;
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
      {drawn && brand ? <Band of={brand} /> : null}
      {small || !drawn ? null : <span className={classes.model} data-model={modelOf(name, sku)} />}
    </span>
  );
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

/** The brands of the list stand as far apart as they can; one that came from the ERP since, where its slug puts it. */
function turnOf(slug: string): number {
  const place = BUILT_IN_BRANDS.findIndex((one) => one.slug === slug);
  if (place >= 0) return Math.round(place * TURN);
  return [...slug].reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % 360, 0);
}
