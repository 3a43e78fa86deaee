import type { Query, QueryClient } from "@tanstack/react-query";
import { anyOf, keyOf } from "~/shared/api/operation";
import { hangsOnBusiness } from "~/shared/business";
import { isOfCart } from "~/shared/cart/queries";
import { setStaleCart } from "~/shared/cart/stale";
import { brandsQuery, categoriesQuery } from "~/shared/catalogue/lists";
import { methodsQuery } from "~/shared/payments/queries";
import { siteQuery } from "~/shared/session/site";
import { addWhatWaited } from "./waiting-adds";

/** What is the same for everybody and outlives a change of person. */
export const isForEverybody = anyOf(
  siteQuery.queryKey,
  keyOf("get", "/content/v1/pages/{id}"),
  brandsQuery.queryKey,
  categoriesQuery.queryKey,
);

/** What outlives a change of business alone: what there is to choose from. */
const isOfChoice = anyOf(keyOf("post", "/api/business-partners"));
const isUnfinished = anyOf(keyOf("get", "/v1/activations"));
const isOfMethods = anyOf(methodsQuery.queryKey);

/** The areas whose data is of the business that one works for. New areas add themselves here. */
export function registerBusinessAreas(cache: QueryClient): void {
  hangsOnBusiness("activations", {
    reload: () => cache.refetchQueries({ predicate: isUnfinished, type: "active" }),
    reset: () => cache.removeQueries({ predicate: isUnfinished, type: "inactive" }),
  });
  hangsOnBusiness("cart", {
    reload: async () => {
      await cache.refetchQueries({ predicate: isOfCart, type: "active" });
      await addWhatWaited(cache);
    },
    reset: () => {
      setStaleCart(undefined);
      void cache.resetQueries({ predicate: isOfCart });
    },
  });
  hangsOnBusiness("payment-methods", {
    reload: () => cache.refetchQueries({ predicate: isOfMethods, type: "active" }),
    // Emptied at once: nobody may choose a card of the business before.
    reset: () => void cache.resetQueries({ predicate: isOfMethods }),
  });
  hangsOnBusiness("everything else on screen", {
    reload: () => cache.refetchQueries({ predicate: isOfBusiness, type: "active" }),
    reset: () => cache.removeQueries({ predicate: isOfBusiness, type: "inactive" }),
  });
}

/** What has no rule of its own. */
function isOfBusiness(query: Query): boolean {
  return ![isForEverybody, isOfChoice, isUnfinished, isOfCart, isOfMethods].some((has) =>
    has(query),
  );
}
