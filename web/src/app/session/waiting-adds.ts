import { msg } from "@lingui/core/macro";
import type { QueryClient } from "@tanstack/react-query";
import { tell, tellProblem } from "~/shared/alerts/alerts";
import { isWaiting } from "~/shared/cart/waiting";
import { session } from "~/shared/session/session";
import type { router as Router } from "../router";

/** Adds to the cart what waited for a sign-in or a business, and says so. */
export async function addWhatWaited(cache: QueryClient): Promise<void> {
  if (!isWaiting()) return;
  try {
    const { addWaiting } = await import("~/shared/cart/add"); // most pages add nothing
    if (await addWaiting(cache)) tell({ content: msg`Added to the cart.`, type: "success" });
  } catch (cause) {
    void tellProblem(cause);
  }
}

/** Once the page that a sign-in leads to is there: a message before would go with the page before. */
export function resumeAdds(router: typeof Router, cache: QueryClient): void {
  router.subscribe("onResolved", () => {
    if (session().state === "signed-in") void addWhatWaited(cache);
  });
}
