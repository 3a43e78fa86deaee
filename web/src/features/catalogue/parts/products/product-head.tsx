import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Availability } from "~/shared/catalogue/availability";
import { CaseQuantity } from "~/shared/catalogue/case-quantity";
import { Price } from "~/shared/catalogue/price";
import { ProductPicture } from "~/shared/catalogue/product-picture";
import { Sku } from "~/shared/catalogue/sku";
import type { CatalogueProduct, CatalogueVariant } from "~/shared/catalogue/types";
import { FitOf } from "~/shared/fit/fit";
import { zoom } from "~/shared/media/viewer";
import { categoryName } from "~/shared/navigation/catalogue";
import { Note } from "~/shared/ui/notes/note";
import { Status } from "~/shared/ui/notes/status";
import { Heading } from "~/shared/ui/screens/heading";
import { productBySkuQuery } from "../../queries";
import classes from "./product-head.module.css";

/** What can be done with the chosen variant, such as putting it into the cart. */
export type VariantAction = (product: CatalogueProduct, variant: CatalogueVariant) => ReactNode;

type ProductHeadProps = {
  product: CatalogueProduct;
  /** The SKU that it was searched by. */
  asked?: string | undefined;
  variantAction?: VariantAction | undefined;
};

/** Picture, name, SKU, price and stock; with a choice where there are several variants. */
export function ProductHead({ product, asked, variantAction }: ProductHeadProps) {
  const { t, i18n } = useLingui();
  const [chosenId, choose] = useState(product.defaultVariant.id);
  const variant = product.variants.find(({ id }) => id === chosenId) ?? product.variants[0];
  if (!variant) return null;
  const picture = { url: product.image.url, alt: product.name };
  return (
    <div className={classes.head}>
      <button
        type="button"
        className={classes.picture}
        aria-label={t`Enlarge: ${picture.alt}`}
        onClick={({ currentTarget }) => zoom(picture, currentTarget)}
      >
        <ProductPicture
          image={picture}
          name={product.name}
          sku={variant.sku}
          brand={product.brand.slug}
        />
      </button>
      <div className={classes.facts}>
        <p className={classes.kind}>
          <Link to="/search" search={{ b: [product.brand.slug] }}>
            {product.brand.name}
          </Link>
          <Link to="/search" search={{ c: [product.category.slug] }}>
            {categoryName(i18n, product.category)}
          </Link>
        </p>
        <Heading focusKey={product.id}>{product.name}</Heading>
        <Sku sku={variant.sku} suffix={variant.suffix} />
        {asked ? <OldNumber asked={asked} product={product} /> : null}
        {product.isOnApprovedList ? (
          <Status tone="ok">
            <Trans>On the approved product list</Trans>
          </Status>
        ) : null}
        <Variants product={product} chosen={variant.id} onChoose={choose} />
        <Price pricing={variant.pricing} of={product.name} />
        <Availability
          availability={variant.availability}
          onHand={variant.onHand}
          restockOn={variant.restockOn}
        />
        <CaseQuantity pieces={product.caseQuantity} />
        <FitOf productId={product.id} detailed />
        {variantAction?.(product, variant)}
      </div>
    </div>
  );
}

type OldNumberProps = { asked: string; product: CatalogueProduct };

/** Says so where the product was searched by a number that it had before. */
function OldNumber({ asked, product }: OldNumberProps) {
  const isOwn = product.variants.some(({ sku }) => sku === asked.toUpperCase());
  const found = useQuery({ ...productBySkuQuery(asked), enabled: !isOwn });
  if (found.data?.id !== product.id || !found.data.askedSku) return null;
  return (
    <Note tone="plain">
      <Trans>
        {found.data.askedSku} is an old number of this product. It is called {product.sku} now.
      </Trans>
    </Note>
  );
}

type VariantsProps = {
  product: CatalogueProduct;
  chosen: string;
  onChoose: (id: string) => void;
};

function Variants({ product, chosen, onChoose }: VariantsProps) {
  if (product.variants.length < 2) return null;
  return (
    <fieldset className={classes.variants}>
      <legend>
        <Trans>Variant</Trans>
      </legend>
      {product.variants.map(({ id, name, suffix }) => (
        <label key={id}>
          <input
            type="radio"
            name="variant"
            value={id}
            checked={id === chosen}
            onChange={() => onChoose(id)}
          />
          <span>{name || suffix}</span>
        </label>
      ))}
    </fieldset>
  );
}
