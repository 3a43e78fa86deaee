import { Trans, useLingui } from "@lingui/react/macro";
import { Button, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { CONSTANTS } from "~/shared/constants";
import { useFields } from "~/shared/forms/fields";
import { Choice } from "~/shared/ui/fields/choice";
import { handOn } from "~/shared/ui/hand-on";
import { FilterFold } from "~/shared/ui/lists/filter-fold";
import classes from "../receipts.module.css";
import { FILTERS, type ReceiptsAddress } from "../receipts-address";
import { soughtAmount } from "./amount";

/** What the list is narrowed by; each choice stands in the address. */
export function ReceiptFilters({ address }: { address: ReceiptsAddress }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const form = useFields(
    {
      by: { rules: [], initial: address.by ?? FILTERS[0] },
      value: {
        rules: [],
        initial: address.value,
        shape: (typed, texts) =>
          texts.by === "transaction_id" ? typed : typed.replaceAll(/[^0-9.,]/g, ""),
      },
    },
    { leavable: true },
  );
  const by = form.choice<(typeof FILTERS)[number]>("by");
  const names = {
    transaction_id: t`Transaction ID`,
    total_charges: t`Total Charges`,
    subtotal: t`Subtotal`,
    gst_hst: t`GST/HST`,
  } satisfies Record<(typeof FILTERS)[number], string>;
  const look = (change: Partial<ReceiptsAddress>) =>
    navigate({
      to: "/subscriptions/receipts",
      search: { ...address, page: undefined, ...change },
      resetScroll: false,
    });

  function find({ value }: typeof form.texts) {
    const wanted = by.value === "transaction_id" ? value.trim() : soughtAmount(value);
    void look(wanted ? { by: by.value, value: wanted } : { by: undefined, value: undefined });
  }

  return (
    <form ref={handOn} className={classes.filters} onSubmit={form.submit(find)} noValidate>
      <TextInput
        size="md"
        label={names[by.value]}
        inputMode={by.value === "transaction_id" ? "text" : "decimal"}
        autoComplete="off"
        maxLength={80}
        {...form.field("value")}
      />
      <Button type="submit" size="md" variant="default">
        <Trans>Find</Trans>
      </Button>
      <FilterFold className={classes.folded} set={address.by && address.by !== FILTERS[0] ? 1 : 0}>
        <Choice
          label={t`Search by`}
          options={FILTERS.map((one) => ({ value: one, label: names[one] }))}
          {...by}
        />
        <Choice
          label={t`Rows per page`}
          value={String(address.limit ?? CONSTANTS.tablePageSize)}
          options={CONSTANTS.tablePageSizes.map((size) => ({
            value: String(size),
            label: String(size),
          }))}
          onChange={(size) =>
            void look({ limit: CONSTANTS.tablePageSizes.find((one) => String(one) === size) })
          }
        />
      </FilterFold>
    </form>
  );
}
