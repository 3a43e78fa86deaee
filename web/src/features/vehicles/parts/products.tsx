import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { Button, Skeleton, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { problemOf } from "~/shared/api/errors";
import { addFromList } from "~/shared/cart/actions";
import { Price } from "~/shared/catalogue/price";
import type { ProductSummary } from "~/shared/catalogue/types";
import { FitOf, FitProvider } from "~/shared/fit/fit";
import { useFields } from "~/shared/forms/fields";
import { isLost, ProblemNote } from "~/shared/ui/notes/note";
import {
  accessoriesQuery,
  featuresQuery,
  HARNESS_CATEGORY,
  harnessesQuery,
  harnessSearchQuery,
  vehicleProductsQuery,
} from "../queries";
import classes from "../wiring.module.css";

type ModulesProps = {
  skus: readonly string[];
  /** What stands there when the store has none of them. */
  nothing?: ReactNode;
};

/** Modules that go with the vehicle, each with what it does there, its price and a way into the cart. */
export function Modules({ skus, nothing }: ModulesProps) {
  const found = useQuery(vehicleProductsQuery(skus));
  return (
    <Found of={found} none={skus.length === 0} nothing={nothing}>
      {found.data ? <ProductList products={found.data.results} detailed /> : null}
    </Found>
  );
}

/** T-harnesses of the vehicle, none where they cannot be read (devices spec 8), and a search for others, which needs a term. */
export function Harnesses({ skus }: { skus: readonly string[] }) {
  const { t } = useLingui();
  const found = useQuery(harnessesQuery(skus));
  const form = useFields({ term: { rules: ["required"] } }, { leavable: true });
  const [term, setTerm] = useState("");
  const searched = useQuery(harnessSearchQuery(term));

  return (
    <>
      <Found of={{ ...found, isError: false }} none={skus.length === 0 || !found.data}>
        {found.data ? <ProductList products={found.data} /> : null}
      </Found>
      <form
        className={classes.tools}
        onSubmit={form.submit(({ term: sought }) => setTerm(sought.trim()))}
        noValidate
      >
        <TextInput
          size="md"
          label={t`Search T-harnesses`}
          maxLength={120}
          {...form.field("term")}
        />
        <Button type="submit" size="md" variant="default">
          <Trans>Search</Trans>
        </Button>
      </form>
      {term ? (
        <Found of={searched} none={searched.data?.results.length === 0}>
          {searched.data ? (
            <>
              <ProductList products={searched.data.results} />
              <Others shown={searched.data.results.length} of={searched.data.totalCount} s={term} />
            </>
          ) : null}
        </Found>
      ) : null}
    </>
  );
}

/** What the shop has beyond those that are shown. */
function Others({ shown, of, s }: { shown: number; of: number; s: string }) {
  if (of <= shown) return null;
  return (
    <p>
      <Trans>
        {shown} of {of}.{" "}
        <Link to="/search" search={{ s, c: [HARNESS_CATEGORY] }}>
          Show all in the shop
        </Link>
      </Trans>
    </p>
  );
}

type Answer = {
  data: unknown;
  isLoading: boolean;
  isError: boolean;
  error: unknown;
  refetch: () => unknown;
};

type FoundProps = { of: Answer; none: boolean; nothing?: ReactNode; children: ReactNode };

function Found({ of, none, nothing = <NotFound />, children }: FoundProps) {
  if (of.isLoading) return <Skeleton height={180} radius="lg" />;
  const problem = of.isError ? problemOf(of.error) : undefined;
  if (problem?.status === 404) return nothing;
  return (
    <>
      <ProblemNote problem={problem} onRetry={() => void of.refetch()} />
      {isLost(of) ? null : none ? nothing : children}
    </>
  );
}

export function NotFound() {
  return (
    <p role="status">
      <Trans>Not Found</Trans>
    </p>
  );
}

function ProductList({
  products,
  detailed = false,
}: {
  products: readonly ProductSummary[];
  detailed?: boolean;
}) {
  const { t } = useLingui();
  return (
    <FitProvider productIds={products.map(({ id }) => id)}>
      <ul className={classes.products} aria-label={t`Products`}>
        {products.map((product) => (
          <li key={product.id}>
            <h2>
              <Link to="/product/{-$id}" params={{ id: product.id }}>
                {product.name}
              </Link>
            </h2>
            <p>{product.sku}</p>
            {detailed ? <Features productId={product.id} /> : null}
            <FitOf productId={product.id} />
            <Price pricing={product.pricing} of={product.name} />
            {addFromList(product)}
            {detailed ? <Accessories sku={product.sku} name={product.name} /> : null}
          </li>
        ))}
      </ul>
    </FitProvider>
  );
}

/** What a module does in the car; nothing is shown of one that nothing is known of. */
function Features({ productId }: { productId: string }) {
  const { t } = useLingui();
  const { data } = useQuery(featuresQuery(productId));
  if (!data) return null;
  return (
    <dl className={classes.features}>
      <dt>
        <Trans>Klon</Trans>
      </dt>
      <dd>{data.klon ? t`Yes` : t`No`}</dd>
      <dt>
        <Trans>Keys to install</Trans>
      </dt>
      <dd>{data.keysForInstall}</dd>
      <dt>
        <Trans>Keys to program</Trans>
      </dt>
      <dd>{data.keysForProgramming}</dd>
      {data.features.map(({ name, supported }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{supported ? t`Yes` : t`No`}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Accessories of a product, fetched when they are asked for. */
function Accessories({ sku, name }: { sku: string; name: string }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const found = useQuery({ ...accessoriesQuery(sku), enabled: open });
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary aria-label={t`Accessories of ${name}`}>
        <Trans>Accessories</Trans>
      </summary>
      {open ? (
        <Found of={found} none={found.data?.results.length === 0}>
          {found.data ? (
            <>
              <p>
                <Plural value={found.data.results.length} one="# product" other="# products" />
              </p>
              <ProductList products={found.data.results} />
            </>
          ) : null}
        </Found>
      ) : null}
    </details>
  );
}
