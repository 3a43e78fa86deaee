import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useLingui } from "@lingui/react/macro";
import type { ChangeEvent, FormEvent } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import type { Problem } from "~/shared/api/errors";
import { CONSTANTS } from "~/shared/constants";
import { faultWords } from "./fault-words";
import { useUnsaved } from "./unsaved";
import { faultOf, type RuleName, shownPhone, withoutSymbols } from "./validation";

export type FieldRules = {
  rules: readonly RuleName[];
  initial?: string;
  /** Kept exactly as typed: passwords and codes. */
  verbatim?: boolean;
  uppercase?: boolean;
};

type Texts<Name extends string> = Record<Name, string>;

/**
 * The texts of a form under their rules. What is typed loses emoji and may be put in capitals; a fault shows a second
 * after typing stops, at once when the form is sent, and the server's own faults until the field is changed. A phone
 * number is put as the specs show it once it was typed.
 */
export function useFields<Name extends string>(wanted: Record<Name, FieldRules>) {
  const { i18n } = useLingui();
  const names = Object.keys(wanted) as Name[]; // the keys of the record that was given
  const start = record(names, (name) => startOf(wanted[name]));
  const form = useForm<Texts<string>, unknown, Texts<string>>({
    defaultValues: start,
    resolver: standardSchemaResolver(schemaOf(wanted)),
    mode: "onChange",
    delayError: CONSTANTS.validationDelay,
  });
  const ways = record(names, (name) => form.register(name).onChange);
  const { errors } = form.formState;
  const texts = form.watch() as Texts<Name>; // every name is registered above
  const dirty = names.some((name) => texts[name] !== start[name]);
  useUnsaved(dirty);

  function type(name: Name, typed: string) {
    const { verbatim, uppercase } = wanted[name];
    const plain = verbatim ? typed : withoutSymbols(typed);
    form.clearErrors(name);
    void ways[name]({
      type: "change",
      target: { name, value: uppercase ? plain.toUpperCase() : plain },
    });
  }

  return {
    texts,
    dirty,
    /** What an input needs. */
    field(name: Name) {
      const fault = errors[name];
      return {
        name,
        value: texts[name],
        error: fault?.message && faultWords(fault.message, i18n, fault.type),
        required: wanted[name].rules.includes("required"),
        withAsterisk: false,
        onBlur: wanted[name].rules.includes("phone")
          ? () => type(name, shownPhone(texts[name]))
          : undefined,
        onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
          type(name, event.currentTarget.value),
      };
    },
    set: type,
    /**
     * What a form does when it is sent: `work` where every field passes, else the faults show and the first of them
     * has the focus. A form around it, as of a page behind a dialog, does not hear of it.
     */
    submit: (work: (texts: Texts<Name>) => unknown) => (event: FormEvent<HTMLFormElement>) => {
      event.stopPropagation();
      const { elements } = event.currentTarget;
      return form.handleSubmit(
        (passed) => void work(passed as Texts<Name>), // what passed has the names of the schema
        (faults) =>
          focus(
            elements,
            names.find((name) => faults[name]),
          ),
      )(event);
    },
    /** Puts the faults that the server named at their fields; whether there were any. */
    refuse({ fields, reason }: Problem): boolean {
      const ours = fields.filter(({ field }) => names.some((name) => name === field));
      for (const { field, message } of ours) form.setError(field, { type: reason, message });
      return ours.length > 0;
    },
    reset: () => form.reset(start),
  };
}

function startOf({ rules, initial = "" }: FieldRules): string {
  return rules.includes("phone") ? shownPhone(initial) : initial;
}

/** The rules as a schema; a fault of a text is the first that its rules find. */
function schemaOf<Name extends string>(wanted: Record<Name, FieldRules>) {
  const names = Object.keys(wanted) as Name[];
  return z.object(
    record(names, (name) =>
      z.string().check(({ value, issues }) => {
        const message = faultOf(value, wanted[name].rules);
        if (message) issues.push({ code: "custom", input: value, message });
      }),
    ),
  );
}

function focus(elements: HTMLFormControlsCollection, name: string | undefined): void {
  const first = name && elements.namedItem(name);
  if (first instanceof HTMLElement) first.focus();
}

function record<Name extends string, Value>(
  names: readonly Name[],
  value: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, value(name)])) as Record<Name, Value>;
}
