import { Trans, useLingui } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useDeferredValue, useEffect, useState } from "react";
import { problemOf } from "~/shared/api/errors";
import { useCatalogueLists } from "~/shared/catalogue/lists";
import { CONSTANTS } from "~/shared/constants";
import { ChosenBar } from "~/shared/fit/chosen-bar";
import { useSession } from "~/shared/session/session";
import { fetched } from "~/shared/ui/fetched";
import { PageLinks } from "~/shared/ui/lists/page-links";
import { isLost, ProblemNote } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import {
  addressOf,
  keepPageSize,
  type ProductQuery,
  pageSizeOf,
  type SearchAddress,
  wantedIn,
} from "./address";
import { Chips } from "./parts/chips";
import { Counted } from "./parts/counted";
import { Filters } from "./parts/filters";
import { NothingFound } from "./parts/nothing-found";
import { Ordering } from "./parts/ordering";
import type { ActionFor } from "./parts/products/product-card";
import { ProductGrid, ProductGridSkeleton } from "./parts/products/product-grid";
import { ProductRows } from "./parts/products/product-rows";
import { facetsQuery, productsQuery } from "./queries";
import { rememberOnce } from "./remember";
import classes from "./search-screen.module.css";

const Popular = fetched(() => import("./popular"));

type SearchScreenProps = { address: SearchAddress; actionFor?: ActionFor };

/** Products by term, brand and category. The address alone says what is shown; a page of it that fails is told in its place,
 * where it can be asked for again. */
export function SearchScreen({ address, actionFor }: SearchScreenProps) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const userId = useUserId();
  const [size, setSize] = useState<number>(() => pageSizeOf(userId));
  const lists = useCatalogueLists();
  const wanted = wantedIn(address);
  const found = useQuery(productsQuery(wanted, size));
  // A page of cards is drawn in pieces, between which a press is answered.
  const products = useDeferredValue(found.data?.results);
  const facets = useDeferredValue(useQuery(facetsQuery(wanted)).data);
  const total = found.data?.totalCount ?? 0;
  const pages = Math.ceil(total / size);
  const settled = found.isSuccess && !found.isPlaceholderData;

  function change(next: Partial<ProductQuery>) {
    void navigate({
      to: "/search",
      search: addressOf({ ...wanted, page: 1, ...next }),
      resetScroll: false,
    });
  }

  function resize(next: number) {
    keepPageSize(userId, next);
    setSize(next);
    change({});
  }

  useEffect(() => {
    if (settled) rememberOnce(wanted, lists, total);
  });
  useEffect(() => {
    if (settled && pages > 0 && wanted.page > pages) {
      void navigate({
        to: "/search",
        search: addressOf({ ...wanted, page: pages }),
        replace: true,
      });
    }
  });

  return (
    <div className={classes.page}>
      <div className={classes.title}>
        <Heading focusKey={String(wanted.page)}>
          {wanted.term ? <Trans>Results for “{wanted.term}”</Trans> : <Trans>Products</Trans>}
        </Heading>
        <Link to="/deals">
          <Trans>Deals</Trans>
        </Link>
      </div>
      <div className={classes.columns}>
        <Filters
          wanted={wanted}
          lists={lists}
          facets={facets}
          hasApproved={Boolean(found.data?.accountInformation.approvedBrands.length)}
          onChange={change}
        />
        <div className={classes.found}>
          <div className={classes.head}>
            <p role="status" className={classes.count}>
              {found.data ? <Counted total={total} /> : t`Loading`}
            </p>
            <Ordering
              sort={wanted.sort}
              hasTerm={wanted.term !== ""}
              size={size}
              sizes={CONSTANTS.productPageSizes}
              view={wanted.view}
              onView={(view) => change({ view, page: wanted.page })}
              onSort={(sort) => change({ sort })}
              onSize={resize}
            />
          </div>
          <ChosenBar />
          <Chips wanted={wanted} lists={lists} onChange={change} />
          {found.data?.searchedFor ? (
            <p className={classes.meant}>
              <Trans>
                Nothing was found for “{wanted.term}”. These are the results for “
                {found.data.searchedFor}”.
              </Trans>
            </p>
          ) : null}
          {found.isError ? (
            <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
          ) : null}
          {wanted.view === "cards" && !products && !found.isError ? (
            <ProductGridSkeleton count={size} />
          ) : null}
          {settled && total === 0 ? (
            <>
              <NothingFound />
              <Popular actionFor={actionFor} />
            </>
          ) : null}
          {wanted.view === "list" && !isLost(found) && products?.length !== 0 ? (
            <ProductRows
              products={products}
              count={size}
              label={t`Products`}
              busy={found.isPlaceholderData}
              actionFor={actionFor}
            />
          ) : null}
          {wanted.view === "cards" && products?.length ? (
            <ProductGrid
              products={products}
              label={t`Products`}
              busy={found.isPlaceholderData}
              actionFor={actionFor}
            />
          ) : null}
          <PageLinks
            present={wanted.page}
            pages={pages}
            link={(page, props) => (
              <Link to="/search" search={addressOf({ ...wanted, page })} {...props} />
            )}
          />
        </div>
      </div>
    </div>
  );
}

function useUserId(): string {
  const now = useSession();
  return now.state === "anonymous" ? "guest" : now.user.id;
}
