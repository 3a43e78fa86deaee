import { Trans, useLingui } from "@lingui/react/macro";
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { problemOf } from "~/shared/api/errors";
import type { CatalogueProduct } from "~/shared/catalogue/types";
import { ChosenBar } from "~/shared/fit/chosen-bar";
import { FitProvider } from "~/shared/fit/fit";
import { fetched } from "~/shared/ui/fetched";
import { isLost, ProblemNote } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import { Panel } from "~/shared/ui/screens/panel";
import { RichText } from "~/shared/ui/texts/rich-text";
import { NothingFound } from "./parts/nothing-found";
import type { ActionFor } from "./parts/products/product-card";
import { ProductGrid } from "./parts/products/product-grid";
import { ProductHead, type VariantAction } from "./parts/products/product-head";
import classes from "./product-screen.module.css";
import { productQuery } from "./queries";

const Popular = fetched(() => import("./popular"));

type ProductScreenProps = {
  id: string | undefined;
  /** The SKU that it was searched by. */
  sku?: string | undefined;
  actionFor?: ActionFor;
  variantAction?: VariantAction;
};

/** A product with its variants, its description and what goes with it. */
export function ProductScreen({ id, sku, actionFor, variantAction }: ProductScreenProps) {
  const found = useQuery({ ...productQuery(id ?? ""), enabled: id !== undefined });
  const problem = found.isError ? problemOf(found.error) : undefined;
  if (id === undefined || problem?.status === 404) return <NoProduct actionFor={actionFor} />;
  const failure = problem && <ProblemNote problem={problem} onRetry={() => void found.refetch()} />;
  if (isLost(found)) return failure;
  if (!found.data) return <ProductSkeleton />;
  return (
    <>
      {failure}
      <Product
        key={found.data.id}
        product={found.data}
        sku={sku}
        actionFor={actionFor}
        variantAction={variantAction}
      />
    </>
  );
}

type ProductProps = Omit<ProductScreenProps, "id"> & { product: CatalogueProduct };

function Product({ product, sku, actionFor, variantAction }: ProductProps) {
  const { t } = useLingui();
  return (
    <article className={classes.page}>
      <ChosenBar />
      <FitProvider productIds={[product.id]}>
        <ProductHead product={product} asked={sku} variantAction={variantAction} />
      </FitProvider>
      {product.description.length ? (
        <Panel aria-label={t`Description`}>
          <RichText blocks={product.description} lang="en" />
        </Panel>
      ) : null}
      <Others title={t`Accessories`} products={product.accessories} actionFor={actionFor} />
      <Others title={t`Related products`} products={product.related} actionFor={actionFor} />
    </article>
  );
}

type OthersProps = {
  title: string;
  products: CatalogueProduct["related"];
  actionFor?: ActionFor;
};

function Others({ title, products, actionFor }: OthersProps) {
  if (!products.length) return null;
  return (
    <section className={classes.others}>
      <h2>{title}</h2>
      <ProductGrid products={products} label={title} level={3} actionFor={actionFor} />
    </section>
  );
}

function NoProduct({ actionFor }: Pick<ProductScreenProps, "actionFor">) {
  return (
    <div className={classes.page}>
      <Heading>
        <Trans>Product</Trans>
      </Heading>
      <NothingFound />
      <Popular actionFor={actionFor} />
    </div>
  );
}

function ProductSkeleton() {
  return (
    <div className={classes.page} aria-busy="true">
      <h1 className="quiet">
        <Trans>Loading</Trans>
      </h1>
      <Skeleton height={360} radius="lg" />
      <Skeleton height={220} radius="lg" />
      <Link to="/search" className="quiet">
        <Trans>Show all products</Trans>
      </Link>
    </div>
  );
}
