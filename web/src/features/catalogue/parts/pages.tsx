import { Link } from "@tanstack/react-router";
import { PageLinks } from "~/shared/ui/page-links";
import { addressOf, type Wanted } from "../address";

/** Links to the pages, when there is more than one. */
export function Pages({ wanted, pages }: { wanted: Wanted; pages: number }) {
  return (
    <PageLinks
      present={wanted.page}
      pages={pages}
      link={(page, props) => (
        <Link to="/search" search={addressOf({ ...wanted, page })} {...props} />
      )}
    />
  );
}
