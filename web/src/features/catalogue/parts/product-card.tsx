import { Trans } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Availability } from "~/shared/catalogue/availability";
import { CaseQuantity } from "~/shared/catalogue/case-quantity";
import { Price } from "~/shared/catalogue/price";
import { Sku } from "~/shared/catalogue/sku";
import type { CatalogueCard } from "~/shared/catalogue/types";
import { FitOf } from "~/shared/fit/fit";
import { LazyImage } from "~/shared/ui/lazy-image";
import classes from "./product-card.module.css";

/** What can be done with a product in a list, such as putting it into the cart. */
export type ActionFor = (product: CatalogueCard) => ReactNode;

type ProductCardProps = { product: CatalogueCard; level: 2 | 3; actionFor?: ActionFor };

/** A product in a list. */
export function ProductCard({ product, level, actionFor }: ProductCardProps) {
  const Level = level === 2 ? "h2" : "h3";
  const isDeal = product.pricing.why.kind === "deal";
  return (
    <li className={classes.card}>
      <Link to="/product/{-$id}" params={{ id: product.id }} className={classes.link}>
        <LazyImage url={product.image.url} alt="" className={classes.picture} />
        <Level>{product.name}</Level>
      </Link>
      {isDeal ? (
        <span className={classes.deal}>
          <Trans>Deal</Trans>
        </span>
      ) : null}
      <p className={classes.facts}>
        <span>{product.brand.name}</span>
        <Sku sku={product.sku} suffix={product.suffix} />
      </p>
      <FitOf productId={product.id} />
      <div className={classes.foot}>
        <Price pricing={product.pricing} of={product.name} />
        <Availability availability={product.availability} restockOn={product.restockOn} />
        <CaseQuantity pieces={product.caseQuantity} />
        {actionFor?.(product)}
      </div>
    </li>
  );
}
