import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { STEP_WORDS, TURN_WORDS } from "~/shared/flow/words";
import { Age } from "~/shared/time/age";
import { Choice } from "~/shared/ui/fields/choice";
import { DataTable } from "~/shared/ui/lists/data-table";
import { EmptyState } from "~/shared/ui/lists/empty-state";
import { FilterFold } from "~/shared/ui/lists/filter-fold";
import { Paged } from "~/shared/ui/lists/paged";
import { Status } from "~/shared/ui/notes/status";
import classes from "../dealers.module.css";
import { Actions } from "./actions";
import {
  type BoardFilters,
  type Group,
  type OpenActivation,
  openQuery,
  type Whose,
} from "./queries";

type BoardProps = {
  whose: Whose;
  filters: BoardFilters;
  onChange: (filters: BoardFilters) => void;
};

/** Open activations, the longest idle first, narrowed by person, product and step. */
export function Board({ whose, filters, onChange }: BoardProps) {
  const found = useInfiniteQuery(openQuery(whose, filters));
  const rows = found.data?.pages.flatMap(({ results }) => results);
  const counts = found.data?.pages[0]?.counts;
  return (
    <>
      {counts || found.isPending ? (
        <>
          <p role="status">
            {counts ? <Trans>Open activations: {counts.count}</Trans> : <Trans>Loading</Trans>}
          </p>
          <Narrowed groups={counts?.groups ?? []} filters={filters} onChange={onChange} />
        </>
      ) : null}
      <Paged of={found}>
        <Rows
          rows={rows}
          whose={whose}
          busy={found.isPlaceholderData}
          narrowed={Object.values(filters).some(Boolean)}
          onAll={() => onChange({})}
        />
      </Paged>
    </>
  );
}

type NarrowedProps = {
  groups: readonly Group[];
  filters: BoardFilters;
  onChange: (filters: BoardFilters) => void;
};

function Narrowed({ groups, filters, onChange }: NarrowedProps) {
  const { t, i18n } = useLingui();
  const options = (
    by: string,
    chosen: string | undefined,
    say: (group: Group) => string,
    all = t`All`,
  ) => {
    const named = groups.flatMap((one) =>
      one.by === by && one.name !== null
        ? [{ value: one.name, label: `${say(one)} (${one.count})` }]
        : [],
    );
    const isThere = !chosen || named.some(({ value }) => value === chosen);
    return [
      { value: "", label: all },
      ...named,
      ...(isThere ? [] : [{ value: chosen, label: chosen }]),
    ];
  };
  return (
    <div className={classes.narrowed}>
      <FilterFold set={Object.values(filters).filter(Boolean).length}>
        <Choice
          label={t`Person`}
          value={filters.owner ?? ""}
          onChange={(owner) => onChange({ ...filters, owner: owner || undefined })}
          options={options(
            "person",
            filters.owner,
            ({ label, name }) => label ?? name ?? "",
            t({ message: "All", context: "persons" }),
          )}
        />
        <Choice
          label={t`Product`}
          value={filters.product ?? ""}
          onChange={(product) => onChange({ ...filters, product: product || undefined })}
          options={options("product", filters.product, ({ name }) => (name ?? "").toUpperCase())}
        />
        <Choice
          label={t`Step`}
          value={filters.step ?? ""}
          onChange={(step) => onChange({ ...filters, step: step || undefined })}
          options={options(
            "step",
            filters.step,
            ({ name }) => stepName(i18n, name ?? ""),
            t({ message: "All", context: "steps" }),
          )}
        />
      </FilterFold>
    </div>
  );
}

type Words = ReturnType<typeof useLingui>["i18n"];

const BETWEEN_STEPS: Record<string, MessageDescriptor> = {
  checking: msg`Checking the device`,
  "changing-device": msg`Changing the device`,
};

/** The name of a step, or of what comes before and between the steps. */
export function stepName(i18n: Words, step: string): string {
  const words = STEP_WORDS[step] ?? BETWEEN_STEPS[step];
  return words ? i18n._(words) : step;
}

type RowsProps = {
  rows: readonly OpenActivation[] | undefined;
  whose: Whose;
  busy: boolean;
  narrowed: boolean;
  onAll: () => void;
};

function Rows({ rows, whose, busy, narrowed, onAll }: RowsProps) {
  const { t, i18n } = useLingui();
  return (
    <DataTable
      label={t`Open activations`}
      rows={rows}
      busy={busy}
      keyOf={({ id }) => id}
      empty={
        <EmptyState
          title={<Trans>Nothing is waiting</Trans>}
          action={
            narrowed ? (
              <Button variant="default" size="md" onClick={onAll}>
                <Trans>Show all</Trans>
              </Button>
            ) : whose ? (
              <Link to="/activation">
                <Trans>Begin an activation</Trans>
              </Link>
            ) : (
              <Link to="/operations">
                <Trans>Operations</Trans>
              </Link>
            )
          }
        >
          <Trans>Activations that somebody of the team leaves half-way appear here.</Trans>
        </EmptyState>
      }
      columns={[
        {
          head: t`Device`,
          names: true,
          cell: (one) => (
            <>
              {one.device_key}
              <small>
                {[one.product?.toUpperCase(), whose === null ? one.dealer : null]
                  .filter(Boolean)
                  .join(" · ")}
              </small>
            </>
          ),
        },
        {
          head: t`Person`,
          cell: (one) => (
            <>
              {one.owner_id === null ? <Trans>A guest</Trans> : one.owner}
              {one.owner_is_gone ? (
                <small>
                  <Trans>does not work here any more</Trans>
                </small>
              ) : null}
            </>
          ),
        },
        {
          head: t`Step`,
          cell: (one) => (
            <>
              {stepName(i18n, one.step)}
              <small>
                <Trans>
                  Step {one.position} of {one.total}
                </Trans>
              </small>
            </>
          ),
        },
        { head: t`Idle since`, cell: ({ idle_since }) => <Age since={idle_since} /> },
        {
          head: t`Waits for`,
          cell: ({ waits_for }) => (
            <Status tone={waits_for === "person" ? "plain" : "wait"}>
              {i18n._(TURN_WORDS[waits_for])}
            </Status>
          ),
        },
        {
          head: t`Go on`,
          cell: (one) =>
            whose === null ? (
              <Link to="/operations/run" search={{ kind: "activation", id: one.id }}>
                <Trans>Look at the run</Trans>
              </Link>
            ) : (
              <Actions one={one} dealerId={whose} />
            ),
        },
      ]}
    />
  );
}
