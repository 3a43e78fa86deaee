import type { QueryFunction } from "@tanstack/react-query";
import { Problem } from "~/shared/api/errors";
import { mayBuy } from "./rights";
import { needsBusiness, session } from "./session";

/**
 * A query whose answer belongs to a business: while a rep has chosen none it is refused here, as the server would, and
 * nothing is sent. The choice asks for it again.
 */
export function ofBusiness<Options extends object>(options: Options): Options {
  return unlessRefused(options, () =>
    needsBusiness(session()) ? new Problem(409, { code: "business_needed" }) : undefined,
  );
}

/** The same of what only those who buy for a business may read. */
export function ofBuyers<Options extends object>(options: Options): Options {
  return unlessRefused(ofBusiness(options), () =>
    mayBuy(session()) ? undefined : new Problem(403, { code: "forbidden" }),
  );
}

function unlessRefused<Options extends object>(
  options: Options,
  refusal: () => Problem | undefined,
): Options {
  const { queryFn } = options as { queryFn?: QueryFunction }; // all options of queries have one
  const asked: QueryFunction = async (context) => {
    const refused = refusal();
    if (refused) throw refused;
    return queryFn?.(context);
  };
  return { ...options, queryFn: asked };
}
