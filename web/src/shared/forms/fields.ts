import { useLingui } from "@lingui/react/macro";
import {
  type ChangeEvent,
  type FormEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
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
/** `reason` is the server's own, where it has one. */
type Fault = { message: string; reason?: string };
type Faults = Readonly<Record<string, Fault | undefined>>;

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
  const form = useTyped(start);
  const sent = useRef<HTMLFormControlsCollection>(undefined);
  const { faults } = form;
  const texts = record(names, (name) => form.texts[name] ?? start[name]);
  const dirty = names.some((name) => texts[name] !== start[name]);
  useUnsaved(dirty && !leavable);

  const followed = useRef(start);
  useLayoutEffect(() => {
    const before = followed.current;
    followed.current = start;
    if (leavable) return;
    for (const name of names) {
      if (start[name] === before[name] || form.now()[name] !== before[name]) continue;
      form.put(name, start[name]);
    }
  });

  /** All texts as they are now, before they are drawn. */
  function present(): Texts<Name> {
    const now = form.now();
    return record(names, (name) => now[name] ?? start[name]);
  }

  function judge(name: Name): string | undefined {
    const now = present();
    return faultOf(now[name], wanted[name].rules, now);
  }

  function type(name: Name, typed: string) {
    const { verbatim, shape } = wanted[name];
    const plain = verbatim ? typed : withoutSymbols(typed);
    form.put(name, shape ? shape(plain, present()) : plain);
    form.judgeLater(name, () => judge(name));
    onTyped?.(present());
  }

  function faultAt(name: Name): string | undefined {
    const fault = faults[name];
    return fault && faultWords(fault.message, i18n, fault.reason);
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
      form.put(name, text);
      onTyped?.(present());
    },
    /**
     * What a form does when it is sent: `work` where every field passes, with the value of the button that was
     * pressed; else the faults show and the first of them has the focus. A form around it, as of a page behind a
     * dialog, does not hear of it.
     */
    submit:
      (work: (texts: Texts<Name>, pressed: string) => unknown) =>
      (event: FormEvent<HTMLFormElement>) => {
        event.preventDefault();
        event.stopPropagation();
        const { elements } = event.currentTarget;
        sent.current = elements;
        const found = names.flatMap((name) => {
          const message = judge(name);
          return message ? [[name, { message }] as const] : [];
        });
        form.judged(Object.fromEntries(found));
        if (found.length > 0) focus(elements, found[0]?.[0]);
        else void work(present(), pressedIn(event.nativeEvent));
      },
    /** A fault that only the work finds, in the reader's language. */
    fault(name: Name, message: string): void {
      form.blame({ [name]: { message } });
      focus(sent.current, name);
    },
    /** Puts the faults that the server named at their fields, the first of which has the focus; whether there were any. */
    refuse({ fields, reason }: Problem): boolean {
      const ours = fields.filter(({ field }) => names.some((name) => name === field));
      const theirs = ours.map(({ field, message }) => [field, { message, reason }] as const);
      form.blame(Object.fromEntries(theirs));
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

/** What is typed, and what is wrong with it. */
function useTyped(start: Texts<string>) {
  const [texts, setTexts] = useState<Readonly<Texts<string>>>(start);
  const [faults, setFaults] = useState<Faults>({});
  // Before they are drawn: one press may change several.
  const held = useRef(texts);
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());

  function hold(next: Readonly<Texts<string>>) {
    held.current = next;
    setTexts(next);
  }

  function stop(name: string) {
    clearTimeout(timers.current.get(name));
    timers.current.delete(name);
  }

  function stopAll() {
    for (const name of [...timers.current.keys()]) stop(name);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: at the end alone
  useEffect(() => stopAll, []);

  return {
    texts,
    faults,
    now: () => held.current,
    /** Another text, which nothing is known against. */
    put(name: string, text: string): void {
      stop(name);
      setFaults(({ [name]: _, ...others }) => others);
      hold({ ...held.current, [name]: text });
    },
    /** What `judge` finds once typing has stopped. */
    judgeLater(name: string, judge: () => string | undefined): void {
      const timer = setTimeout(() => {
        const message = judge();
        if (message) setFaults((others) => ({ ...others, [name]: { message } }));
      }, CONSTANTS.validationDelay);
      timers.current.set(name, timer);
    },
    /** These faults and no others, at once. */
    judged(found: Faults): void {
      stopAll();
      setFaults(found);
    },
    /** These faults too. */
    blame(found: Faults): void {
      setFaults((others) => ({ ...others, ...found }));
    },
    reset(texts: Texts<string>): void {
      stopAll();
      setFaults({});
      hold(texts);
    },
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
