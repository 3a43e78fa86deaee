import { useLingui } from "@lingui/react/macro";
import { type ChangeEvent, type FormEvent, useLayoutEffect, useRef } from "react";
import { type FieldErrors, type Resolver, useForm } from "react-hook-form";
import type { Problem } from "~/shared/api/errors";
import { CONSTANTS } from "~/shared/constants";
import { faultWords } from "./fault-words";
import { useUnsaved } from "./unsaved";
import { faultOf, type Judge, type RuleName, shownPhone, withoutSymbols } from "./validation";

export type FieldRules = {
  /** Those of the table by their names; what one form alone asks for says its fault in the reader's language. */
  rules: readonly (RuleName | Judge)[];
  initial?: string;
  /** Kept exactly as typed: passwords and codes. */
  verbatim?: boolean;
  /** What typing is turned into: capitals, digits alone. */
  shape?: (typed: string, texts: Readonly<Record<string, string>>) => string;
};

type Texts<Name extends string> = Record<Name, string>;

type FieldsOptions<Name extends string> = {
  /** What is typed may be left behind without a question, as what one looks for. */
  leavable?: boolean;
  /** Hears of every change, as a draft does. */
  onTyped?: (texts: Texts<Name>) => void;
};

const CHECKED = "true";

/** The text of a box, for `initial`. */
export function boxed(checked: boolean): string {
  return checked ? CHECKED : "";
}

/** Capitals, for `shape`. */
export function capitals(typed: string): string {
  return typed.toUpperCase();
}

/**
 * The texts of a form under their rules. What is typed loses emoji and may be put in shape; a fault shows a second
 * after typing stops, at once when the form is sent, and the server's own faults until the field is changed. A phone
 * number is put as the specs show it once it was typed. A choice and a box are texts, too. A field that nobody changed
 * follows `initial`, as when the server answers anew; not in a form that may be left, where `initial` follows the typing.
 */
export function useFields<Name extends string>(
  wanted: Record<Name, FieldRules>,
  { leavable = false, onTyped }: FieldsOptions<Name> = {},
) {
  const { i18n } = useLingui();
  const names = Object.keys(wanted) as Name[]; // the keys of the record that was given
  const start = record(names, (name) => startOf(wanted[name]));
  const form = useForm<Texts<string>, unknown, Texts<string>>({
    defaultValues: start,
    resolver: resolverOf(wanted),
    mode: "onChange",
    delayError: CONSTANTS.validationDelay,
  });
  const sent = useRef<HTMLFormControlsCollection>(undefined);
  const ways = record(names, (name) => form.register(name).onChange);
  const { errors } = form.formState;
  const texts = form.watch() as Texts<Name>; // every name is registered above
  const dirty = names.some((name) => texts[name] !== start[name]);
  useUnsaved(dirty && !leavable);

  const followed = useRef(start);
  useLayoutEffect(() => {
    const before = followed.current;
    followed.current = start;
    if (leavable) return;
    for (const name of names) {
      if (start[name] === before[name] || form.getValues(name as string) !== before[name]) continue;
      form.clearErrors(name);
      form.setValue(name as string, start[name]);
    }
  });

  function type(name: Name, typed: string) {
    const { verbatim, shape } = wanted[name];
    const plain = verbatim ? typed : withoutSymbols(typed);
    form.clearErrors(name);
    const value = shape ? shape(plain, texts) : plain;
    void ways[name]({ type: "change", target: { name, value } });
    onTyped?.(form.getValues() as Texts<Name>);
  }

  function faultAt(name: Name): string | undefined {
    const fault = errors[name];
    return fault?.message && faultWords(fault.message, i18n, fault.type);
  }

  return {
    texts,
    dirty,
    /** What an input needs. */
    field(name: Name) {
      const isPhone = wanted[name].rules.includes("phone");
      return {
        name,
        value: texts[name],
        error: faultAt(name),
        required: wanted[name].rules.includes("required"),
        withAsterisk: false,
        onBlur: isPhone ? () => type(name, shownPhone(texts[name])) : undefined,
        onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
          type(name, event.currentTarget.value),
      };
    },
    /** What a choice among values needs. */
    choice<Value extends string>(name: Name) {
      return {
        name,
        value: texts[name] as Value, // only values from the list are chosen
        error: faultAt(name),
        onChange: (value: Value) => type(name, value),
      };
    },
    /** What a box to check needs. */
    box(name: Name) {
      return {
        name,
        checked: texts[name] === CHECKED,
        onChange: (event: ChangeEvent<HTMLInputElement>) =>
          type(name, boxed(event.currentTarget.checked)),
      };
    },
    /** Puts a text that nobody typed; it is judged when the form is sent. */
    set(name: Name, text: string): void {
      form.clearErrors(name);
      form.setValue(name as string, text, { shouldDirty: true });
      onTyped?.(form.getValues() as Texts<Name>);
    },
    /**
     * What a form does when it is sent: `work` where every field passes, with the value of the button that was
     * pressed; else the faults show and the first of them has the focus. A form around it, as of a page behind a
     * dialog, does not hear of it.
     */
    submit:
      (work: (texts: Texts<Name>, pressed: string) => unknown) =>
      (event: FormEvent<HTMLFormElement>) => {
        event.stopPropagation();
        const pressed = pressedIn(event.nativeEvent);
        const { elements } = event.currentTarget;
        sent.current = elements;
        return form.handleSubmit(
          (passed) => void work(passed as Texts<Name>, pressed), // what passed has the names of the rules
          (faults) =>
            focus(
              elements,
              names.find((name) => faults[name]),
            ),
        )(event);
      },
    /** A fault that only the work finds, in the reader's language. */
    fault(name: Name, message: string): void {
      form.setError(name, { type: "rule", message });
      focus(sent.current, name);
    },
    /** Puts the faults that the server named at their fields, the first of which has the focus; whether there were any. */
    refuse({ fields, reason }: Problem): boolean {
      const ours = fields.filter(({ field }) => names.some((name) => name === field));
      for (const { field, message } of ours) form.setError(field, { type: reason, message });
      focus(
        sent.current,
        names.find((name) => ours.some(({ field }) => field === name)),
      );
      return ours.length > 0;
    },
    reset: () => form.reset(start),
  };
}

function startOf({ rules, initial = "" }: FieldRules): string {
  return rules.includes("phone") ? shownPhone(initial) : initial;
}

/** A fault of a text is the first that its rules find. */
function resolverOf<Name extends string>(
  wanted: Record<Name, FieldRules>,
): Resolver<Texts<string>, unknown, Texts<string>> {
  return (texts) => {
    const errors: FieldErrors<Texts<string>> = {};
    for (const name of Object.keys(wanted) as Name[]) {
      const message = faultOf(texts[name] ?? "", wanted[name].rules, texts);
      if (message) errors[name as string] = { type: "rule", message };
    }
    return Object.keys(errors).length > 0 ? { values: {}, errors } : { values: texts, errors: {} };
  };
}

function pressedIn(event: Event): string {
  const by = event instanceof SubmitEvent ? event.submitter : null;
  return by instanceof HTMLButtonElement ? by.value : "";
}

function focus(elements: HTMLFormControlsCollection | undefined, name: string | undefined): void {
  const named = name === undefined ? null : elements?.namedItem(name);
  const first = named instanceof RadioNodeList ? named[0] : named;
  if (first instanceof HTMLElement) first.focus();
}

function record<Name extends string, Value>(
  names: readonly Name[],
  value: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, value(name)])) as Record<Name, Value>;
}
