import { useLingui } from "@lingui/react/macro";
import { type ChangeEvent, useEffect, useRef, useState } from "react";
import type { Problem } from "~/shared/api/errors";
import { CONSTANTS } from "~/shared/constants";
import { faultWords } from "./fault-words";
import { useUnsaved } from "./unsaved";
import { faultOf, type RuleName, withoutSymbols } from "./validation";

export type FieldRules = {
  rules: readonly RuleName[];
  initial?: string;
  /** Kept exactly as typed: passwords and codes. */
  verbatim?: boolean;
  uppercase?: boolean;
};

/**
 * The texts of a form under their rules. What is typed loses emoji and may be put in capitals; a fault shows a second
 * after typing stops, at once when the form is sent, and the server's own faults until the field is changed.
 */
export function useFields<Name extends string>(wanted: Record<Name, FieldRules>) {
  const { i18n } = useLingui();
  const names = Object.keys(wanted) as Name[]; // the keys of the record that was given
  const start = () => record(names, (name) => wanted[name].initial ?? "");
  const [texts, setTexts] = useState(start);
  const [told, setTold] = useState<ReadonlySet<Name>>(new Set());
  const [refused, setRefused] = useState<Partial<Record<Name, string>>>({});
  const [reason, setReason] = useState<string>();
  const timers = useRef(new Map<Name, ReturnType<typeof setTimeout>>());
  useEffect(() => {
    const running = timers.current;
    return () => running.forEach(clearTimeout);
  }, []);
  const dirty = names.some((name) => texts[name] !== (wanted[name].initial ?? ""));
  useUnsaved(dirty);

  function type(name: Name, typed: string) {
    const { verbatim, uppercase } = wanted[name];
    const plain = verbatim ? typed : withoutSymbols(typed);
    setTexts((was) => ({ ...was, [name]: uppercase ? plain.toUpperCase() : plain }));
    setRefused((was) => ({ ...was, [name]: undefined }));
    setTold((was) => new Set([...was].filter((one) => one !== name)));
    clearTimeout(timers.current.get(name));
    timers.current.set(
      name,
      setTimeout(() => setTold((was) => new Set([...was, name])), CONSTANTS.validationDelay),
    );
  }

  return {
    texts,
    dirty,
    /** What an input needs. */
    field(name: Name) {
      const fault = faultOf(texts[name], wanted[name].rules);
      const shown = refused[name] ?? (told.has(name) ? fault : undefined);
      return {
        name,
        value: texts[name],
        error: shown && faultWords(shown, i18n, refused[name] && reason),
        required: wanted[name].rules.includes("required"),
        withAsterisk: false,
        onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
          type(name, event.currentTarget.value),
      };
    },
    set: type,
    /** Whether every field passes; shows what does not. */
    passes(): boolean {
      setTold(new Set(names));
      return names.every((name) => faultOf(texts[name], wanted[name].rules) === undefined);
    },
    /** Puts the faults that the server named at their fields; whether there were any. */
    refuse({ fields, reason: why }: Problem): boolean {
      const ours = fields.filter(({ field }) => names.some((name) => name === field));
      setRefused(Object.fromEntries(ours.map(({ field, message }) => [field, message])) as never);
      setReason(why);
      return ours.length > 0;
    },
    reset() {
      setTexts(start());
      setTold(new Set());
      setRefused({});
    },
  };
}

function record<Name extends string>(names: readonly Name[], text: (name: Name) => string) {
  return Object.fromEntries(names.map((name) => [name, text(name)])) as Record<Name, string>;
}
