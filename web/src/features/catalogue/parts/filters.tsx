import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Checkbox, Skeleton } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { useDeferredValue, useState } from "react";
import type { CatalogueLists } from "~/shared/catalogue/lists";
import { APPROVED } from "~/shared/catalogue/types";
import { CONSTANTS } from "~/shared/constants";
import type { Slugged } from "~/shared/navigation/catalogue";
import { useSite } from "~/shared/session/site";
import { fetched } from "~/shared/ui/fetched";
import type { ProductQuery } from "../address";
import type { Facets } from "../queries";
import classes from "./filters.module.css";

type FiltersProps = {
  wanted: ProductQuery;
  lists: CatalogueLists;
  /** Products that each choice would find; none known yet, none shown. */
  facets: Facets | undefined;
  /** Whether the caller has approved brands to narrow to. */
  hasApproved: boolean;
  onChange: (change: Partial<ProductQuery>) => void;
};

const VehicleSearch = fetched(
  async () => ({
    default: (await import("~/shared/vehicles/search/vehicle-search")).VehicleSearch,
  }),
  {
    pending: () => <Skeleton height={240} radius="lg" />,
    failed: () => (
      <p>
        <Trans>This part comes by itself when the signal is back.</Trans>
      </p>
    ),
  },
);

const NARROW = `(max-width: ${CONSTANTS.breakpointMobile}px)`;

/** Categories and brands to narrow by. Behind a button on narrow screens, and drawn there when it is pressed first. */
export function Filters(props: FiltersProps) {
  const { wanted } = props;
  const [open, setOpen] = useState<boolean>();
  const narrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  // The press is answered before all the choices are drawn.
  const wasOpened = useDeferredValue(open !== undefined);
  const { t } = useLingui();
  const set = wanted.brands.length + wanted.categories.length + Number(wanted.inStock);
  return (
    <aside className={classes.filters} aria-label={t`Filters`}>
      <Button
        variant="default"
        size="md"
        className={classes.toggle}
        aria-expanded={open ?? false}
        aria-controls="filters"
        onClick={() => setOpen(!open)}
      >
        {set ? <Trans>Filters ({set})</Trans> : <Trans>Filters</Trans>}
      </Button>
      <div id="filters" className={classes.groups} data-open={open && wasOpened}>
        {wasOpened || !narrow ? <Choices {...props} /> : null}
      </div>
    </aside>
  );
}

function Choices({ wanted, lists, facets, hasApproved, onChange }: FiltersProps) {
  const { t } = useLingui();
  const isApproved = wanted.brands.includes(APPROVED);
  return (
    <>
      <ByVehicle />
      <Checkbox
        classNames={{ body: classes.entry, labelWrapper: classes.label }}
        label={
          <span className={classes.counted} data-none={facets?.inStock === 0}>
            <span>
              <Trans>In stock</Trans>{" "}
            </span>
            {facets ? <span className={classes.count}>{facets.inStock}</span> : null}
          </span>
        }
        checked={wanted.inStock}
        onChange={() => onChange({ inStock: !wanted.inStock })}
      />
      {hasApproved || isApproved ? (
        <Checkbox
          classNames={{ body: classes.entry, labelWrapper: classes.label }}
          label={t`Approved brands only`}
          checked={isApproved}
          onChange={() => onChange({ brands: toggled(wanted.brands, APPROVED) })}
        />
      ) : null}
      <Group
        legend={t`Category`}
        entries={lists.categories}
        facets={facets?.categories}
        chosen={wanted.categories}
        onToggle={(slug) => onChange({ categories: toggled(wanted.categories, slug) })}
      />
      <Group
        legend={t`Brand`}
        entries={lists.brands}
        facets={facets?.brands}
        chosen={wanted.brands}
        onToggle={(slug) => onChange({ brands: toggled(wanted.brands, slug) })}
      />
    </>
  );
}

/** Products by vehicle: found there, they stand with the vehicle's wiring. Its search comes when it is opened. */
function ByVehicle() {
  const navigate = useNavigate();
  const site = useSite();
  const [open, setOpen] = useState(false);
  if (site?.features.wiring_diagrams === false) return null;
  return (
    <details
      className={classes.vehicle}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <Trans>By vehicle</Trans>
      </summary>
      {open ? (
        <VehicleSearch
          onFound={(vehicle) =>
            void navigate({ to: "/wiring", search: { vehicle, slide: "modules" } })
          }
        />
      ) : null}
    </details>
  );
}

type GroupProps = {
  legend: string;
  entries: readonly Slugged[];
  facets: Facets["brands"] | undefined;
  chosen: readonly string[];
  onToggle: (slug: string) => void;
};

/** What would find nothing stays in its place, said to be nothing: the list never jumps. */
function Group({ legend, entries, facets, chosen, onToggle }: GroupProps) {
  const counts = facets && new Map(facets.map(({ slug, count }) => [slug, count]));
  return (
    <fieldset className={classes.group}>
      <legend>{legend}</legend>
      {entries.map(({ name, slug }) => (
        <Checkbox
          key={slug}
          classNames={{ body: classes.entry, labelWrapper: classes.label }}
          label={
            <span className={classes.counted} data-none={counts && !counts.has(slug)}>
              <span>{name} </span>
              {counts ? <span className={classes.count}>{counts.get(slug) ?? 0}</span> : null}
            </span>
          }
          checked={chosen.includes(slug)}
          onChange={() => onToggle(slug)}
        />
      ))}
    </fieldset>
  );
}

export function toggled(chosen: readonly string[], slug: string): string[] {
  return chosen.includes(slug) ? chosen.filter((one) => one !== slug) : [...chosen, slug];
}
