import type { QueryFunction } from "@tanstack/react-query";
import { Problem } from "~/shared/api/errors";
import { needsBusiness, session } from "./session";

/**
 * A query whose answer belongs to a business: while a rep has chosen none it is refused here, as the server would, and
 * nothing is sent. The choice asks for it again.
 */
export function ofBusiness<Options extends object>(options: Options): Options {
  const { queryFn } = options as { queryFn?: QueryFunction }; // all options of queries have one
  const asked: QueryFunction = async (context) => {
    if (needsBusiness(session())) throw new Problem(409, { code: "business_needed" });
    return queryFn?.(context);
  };
  return { ...options, queryFn: asked };
}
