import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Skeleton } from "@mantine/core";
import { type MouseEvent, type ReactNode, useId, useState } from "react";
import { flushSync } from "react-dom";
import { problemOf } from "~/shared/api/errors";
import { dollars } from "~/shared/catalogue/money";
import { isLost, Note, ProblemNote } from "~/shared/ui/notes/note";
import { Status } from "~/shared/ui/notes/status";
import { CardFrame } from "./card/card-frame";
import classes from "./method-choice.module.css";
import { expiryOf, faultOfMethod, nameOf, typeName } from "./method-words";
import { usePaymentMethods } from "./queries";
import type { PaymentChoice, PaymentKind, SavedMethod } from "./types";

type MethodChoiceProps = {
  value: PaymentChoice | undefined;
  onChange: (choice: PaymentChoice) => void;
  /** What is to be paid, in dollars: terms tell when the credit does not reach that far. */
  amount?: number;
  /** Ids of methods that were declined for this payment; a declined COD or TERMS by its type. */
  refused?: readonly string[];
  /** The kinds of payment that fit; by default all that the person may use. */
  kinds?: readonly PaymentKind[];
  disabled?: boolean;
  legend?: ReactNode;
};

/** More than so many saved methods stand behind a button. */
const MOST_AT_FIRST = 3;

const ALL: readonly PaymentKind[] = ["CARD", "BANK_ACCOUNT", "COD", "TERMS"];

/** How to pay: saved cards and bank accounts, cash on delivery, terms. What cannot be used stays in view and says why. */
export function MethodChoice(props: MethodChoiceProps) {
  const { value, onChange, amount, refused = [], kinds = ALL, disabled = false, legend } = props;
  const { i18n } = useLingui();
  const methods = usePaymentMethods();
  const [adding, setAdding] = useState(false);
  const [all, setAll] = useState(false);
  const showAll = ({ currentTarget: { parentElement } }: MouseEvent) => {
    const options = () => [...(parentElement?.querySelectorAll("input") ?? [])];
    const before = new Set(options());
    flushSync(() => setAll(true));
    options()
      .find((one) => !before.has(one))
      ?.focus();
  };
  const name = useId();
  const failure = methods.isError ? (
    <ProblemNote problem={problemOf(methods.error)} onRetry={() => void methods.refetch()} />
  ) : null;
  if (isLost(methods)) return failure;
  if (!methods.data) return <Skeleton height={120} aria-busy="true" />;
  const { results, allowed, creditAvailable } = methods.data;
  const may = (kind: PaymentKind) => kinds.includes(kind) && allowed[ALLOWED_BY[kind]];
  const saved = results.filter(({ type, isHidden }) => !isHidden && may(type));
  const near = all ? saved : nearest(saved, value);
  const option = { name, value, onChange, disabled };
  const none = saved.length === 0 && !may("CARD") && !may("COD") && !may("TERMS");
  return (
    <fieldset className={classes.choice}>
      <legend>{legend ?? <Trans>Payment method</Trans>}</legend>
      {failure}
      {none ? (
        <Note tone="wait">
          <Trans>There is no payment method that you can use here.</Trans>
        </Note>
      ) : null}
      {near.map((method) => (
        <Saved key={method.id} method={method} refused={refused} {...option} />
      ))}
      {near.length < saved.length ? (
        <Button
          variant="subtle"
          size="md"
          className={classes.add}
          aria-expanded={false}
          onClick={showAll}
        >
          <Trans>Others ({saved.length - near.length})</Trans>
        </Button>
      ) : null}
      {may("COD") ? (
        <Option {...option} choice={{ type: "COD", method_id: null }}>
          <b>{i18n._(typeName("COD"))}</b> {refused.includes("COD") ? <Declined /> : null}
        </Option>
      ) : null}
      {may("TERMS") ? (
        <Option {...option} choice={{ type: "TERMS", method_id: null }}>
          <b>{i18n._(typeName("TERMS"))}</b> {refused.includes("TERMS") ? <Declined /> : null}{" "}
          <Credit left={creditAvailable} amount={amount} />
        </Option>
      ) : null}
      {may("CARD") ? (
        <Button
          variant="default"
          size="md"
          className={classes.add}
          disabled={disabled}
          onClick={() => setAdding(true)}
        >
          <Trans>Add a card</Trans>
        </Button>
      ) : null}
      {adding ? (
        <CardFrame
          onClose={() => setAdding(false)}
          onAdded={(id) => {
            setAdding(false);
            onChange({ type: "CARD", method_id: id });
          }}
        />
      ) : null}
    </fieldset>
  );
}

/** The first ones in their order, and always the chosen one. */
function nearest(saved: readonly SavedMethod[], value: PaymentChoice | undefined) {
  const first = saved.slice(0, MOST_AT_FIRST);
  const chosen = saved.find(({ id }) => id === value?.method_id);
  return !chosen || first.includes(chosen) ? first : [...first, chosen];
}

const ALLOWED_BY = {
  CARD: "cards",
  BANK_ACCOUNT: "bank",
  COD: "cod",
  TERMS: "terms",
} as const satisfies Record<PaymentKind, string>;

type OptionProps = {
  name: string;
  value: PaymentChoice | undefined;
  onChange: (choice: PaymentChoice) => void;
  disabled: boolean;
};

type SavedProps = OptionProps & { method: SavedMethod; refused: readonly string[] };

function Saved({ method, refused, ...option }: SavedProps) {
  const { i18n } = useLingui();
  const fault = faultOfMethod(method, refused);
  const expiry = expiryOf(method);
  const unusable = !method.isValid || method.status !== "ready";
  return (
    <Option
      {...option}
      disabled={option.disabled || unusable}
      choice={{ type: method.type, method_id: method.id }}
    >
      <b>{nameOf(method, i18n)}</b> {expiry ? <small>{expiry}</small> : null}{" "}
      {method.isMain ? (
        <small>
          <Trans>Default</Trans>
        </small>
      ) : null}{" "}
      {fault ? <Status tone="fail">{i18n._(fault)}</Status> : null}
    </Option>
  );
}

function Option({
  name,
  value,
  onChange,
  disabled,
  choice,
  children,
}: OptionProps & { choice: PaymentChoice; children: ReactNode }) {
  const checked = value?.type === choice.type && value.method_id === choice.method_id;
  return (
    <label className={classes.option}>
      <input
        type="radio"
        name={name}
        checked={checked}
        disabled={disabled}
        onChange={() => onChange(choice)}
      />
      <span>{children}</span>
    </label>
  );
}

function Declined() {
  return (
    <Status tone="fail">
      <Trans>Declined for this payment</Trans>
    </Status>
  );
}

/** How much of the credit is left; a payment above it is refused by the server. */
function Credit({ left, amount }: { left: number | null; amount: number | undefined }) {
  const { i18n } = useLingui();
  if (left === null) return null;
  const sum = dollars(i18n, Math.max(left, 0));
  if (amount !== undefined && amount > left)
    return (
      <Status tone="fail">
        <Trans>More than your credit: {sum} left</Trans>
      </Status>
    );
  return (
    <small>
      <Trans>{sum} of your credit left</Trans>
    </small>
  );
}
