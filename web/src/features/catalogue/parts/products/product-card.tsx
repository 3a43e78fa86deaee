import { Trans } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Availability } from "~/shared/catalogue/availability";
import { CaseQuantity } from "~/shared/catalogue/case-quantity";
import { Price } from "~/shared/catalogue/price";
import { ProductPicture } from "~/shared/catalogue/product-picture";
import { Sku } from "~/shared/catalogue/sku";
import type { ProductSummary } from "~/shared/catalogue/types";
import { FitOf } from "~/shared/fit/fit";
import classes from "./product-card.module.css";

/** What can be done with a product in a list, such as putting it into the cart. */
export type ActionFor = (product: ProductSummary) => ReactNode;

type ProductCardProps = {
  product: ProductSummary;
  level: 2 | 3;
  /** What is to be said of it, beneath its price. */
  told?: ReactNode;
  actionFor?: ActionFor;
};

/** A product in a list. */
export function ProductCard({ product, level, told, actionFor }: ProductCardProps) {
  const Level = level === 2 ? "h2" : "h3";
  const isDeal = product.pricing.why.kind === "deal";
  return (
    <li className={classes.card}>
      <ProductPicture
        image={{ url: product.image.url, alt: "" }}
        name={product.name}
        sku={product.sku}
        brand={product.brand.slug}
        className={classes.picture}
      />
      {isDeal ? (
        <span className={classes.deal}>
          <Trans>Deal</Trans>
        </span>
      ) : null}
      <p className={classes.facts}>
        <Sku sku={product.sku} suffix={product.suffix} />
        <span>{product.brand.name}</span>
      </p>
      <Level className={classes.name}>
        <Link to="/product/{-$id}" params={{ id: product.id }}>
          {product.name}
        </Link>
      </Level>
      <FitOf productId={product.id} />
      <div className={classes.foot}>
        <div className={classes.figures}>
          <div>
            <Availability
              availability={product.availability}
              onHand={product.onHand}
              restockOn={product.restockOn}
            />
            <CaseQuantity pieces={product.caseQuantity} />
          </div>
          <Price pricing={product.pricing} of={product.name} />
        </div>
        {told ? <p className={classes.told}>{told}</p> : null}
        {actionFor?.(product)}
      </div>
    </li>
  );
}
