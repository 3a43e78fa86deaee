import type { QueryClient } from "@tanstack/react-query";
import { hangsOnBusiness } from "~/shared/business";
import { setStaleCart } from "~/shared/cart/stale";
import { addWhatWaited } from "./waiting-adds";

/** What is the same for everybody and outlives a change of business. */
const FOR_EVERYBODY = new Set(["site", "page", "partners", "brands", "categories"]);

/** The areas whose data is of the business that one works for. New areas add themselves here. */
export function registerBusinessAreas(cache: QueryClient): void {
  hangsOnBusiness("activations", {
    reload: () => cache.refetchQueries({ queryKey: ["activations"], type: "active" }),
    reset: () => cache.removeQueries({ queryKey: ["activations"], type: "inactive" }),
  });
  hangsOnBusiness("cart", {
    reload: async () => {
      await cache.refetchQueries({ queryKey: ["cart"], type: "active" });
      await addWhatWaited(cache);
    },
    reset: () => {
      setStaleCart(undefined);
      void cache.resetQueries({ queryKey: ["cart"] });
    },
  });
  hangsOnBusiness("payment-methods", {
    reload: () => cache.refetchQueries({ queryKey: ["payment-methods"], type: "active" }),
    // Emptied at once: nobody may choose a card of the business before.
    reset: () => void cache.resetQueries({ queryKey: ["payment-methods"] }),
  });
  hangsOnBusiness("everything else on screen", {
    reload: () => cache.refetchQueries({ predicate: isOfBusiness, type: "active" }),
    reset: () => cache.removeQueries({ predicate: isOfBusiness, type: "inactive" }),
  });
}

const WITH_RULES = new Set(["activations", "cart", "payment-methods"]);

function isOfBusiness({ queryKey: [area] }: { queryKey: readonly unknown[] }): boolean {
  return !WITH_RULES.has(String(area)) && !FOR_EVERYBODY.has(String(area));
}
