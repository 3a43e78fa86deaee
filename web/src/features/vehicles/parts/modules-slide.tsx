import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { SourceNote, type SourceReport } from "~/shared/vehicles/wiring/source-note";
import { vehicleProductsQuery } from "../queries";
import type { Recommended } from "../recommended";
import { Modules } from "./products";
import { TrimProducts } from "./trim-products";

type ModulesSlideProps = {
  skus: readonly string[];
  recommended: readonly Recommended[];
  /** Whether outside sources are still asked. */
  pending: boolean;
  reports: readonly SourceReport[];
};

/** Modules of our own reference and of outside sources; a source that is away or did not answer anew is told. */
export function ModulesSlide({ skus, recommended, pending, reports }: ModulesSlideProps) {
  const own = useQuery(vehicleProductsQuery(skus));
  const beside = pending ? (
    <Skeleton height={180} radius="lg" aria-busy="true" />
  ) : recommended.length > 0 ? null : undefined;
  return (
    <>
      {reports
        .filter(({ state }) => state !== "fresh")
        .map((report) => (
          <SourceNote key={report.source} report={report} />
        ))}
      <Modules skus={skus} nothing={beside} />
      <TrimProducts
        rows={recommended}
        shown={own.isLoading ? undefined : (own.data?.results ?? []).map(({ id }) => id)}
      />
    </>
  );
}
