import { Trans, useLingui } from "@lingui/react/macro";
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { problemOf } from "~/shared/api/errors";
import { zoom } from "~/shared/media/viewer";
import { isLost, ProblemNote } from "~/shared/ui/notes/note";
import { instructionsQuery } from "../queries";
import type { Category } from "../types";
import classes from "../wiring.module.css";

/** The steps of the chosen category, in order. */
export function Instructions({
  vehicleId,
  categories,
}: {
  vehicleId: number;
  categories: readonly Category[];
}) {
  const { t } = useLingui();
  const [chosen, setChosen] = useState<string>();
  const category = categories.find(({ uuid }) => uuid === chosen) ?? categories[0];
  if (!category) {
    return (
      <p role="status">
        <Trans>There are no instructions for this vehicle.</Trans>
      </p>
    );
  }
  return (
    <>
      <ul className={classes.chips} aria-label={t`Categories`}>
        {categories.map(({ uuid, title, count }) => (
          <li key={uuid}>
            <button
              type="button"
              aria-pressed={uuid === category.uuid}
              onClick={() => setChosen(uuid)}
            >
              <span lang="en">{title}</span> <small>{count}</small>
            </button>
          </li>
        ))}
      </ul>
      <Steps vehicleId={vehicleId} categoryId={category.uuid} />
    </>
  );
}

function Steps({ vehicleId, categoryId }: { vehicleId: number; categoryId: string }) {
  const { t } = useLingui();
  const found = useQuery(instructionsQuery(vehicleId, categoryId));
  if (found.isPending) return <Skeleton height={180} radius="lg" />;
  const failure = found.isError ? (
    <ProblemNote problem={problemOf(found.error)} onRetry={() => void found.refetch()} />
  ) : null;
  if (isLost(found)) return failure;
  return (
    <>
      {failure}
      <ol className={classes.steps}>
        {found.data?.map(({ position, text, image }) => (
          <li key={position}>
            <span lang="en">{text}</span>
            {image ? (
              <button
                type="button"
                className={classes.small}
                aria-label={t`Enlarge: ${text}`}
                onClick={({ currentTarget }) => zoom({ url: image, alt: text }, currentTarget)}
              >
                <img src={image} alt="" width={96} height={72} loading="lazy" />
              </button>
            ) : null}
          </li>
        ))}
      </ol>
    </>
  );
}
