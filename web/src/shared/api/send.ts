import { hashKey, useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { tellProblem } from "~/shared/alerts/alerts";
import { type Problem, problemOf } from "./errors";
import { newKey } from "./idempotency";

type Work<Answer> = (key: string) => Promise<Answer>;

type SendOptions = {
  /** Failures are told at the top of the page, or by this, instead of standing in it. */
  alert?: boolean | ((problem: Problem) => void);
};

/**
 * The one way in which a screen sends something: whether it is under way, why it failed last, what was answered, how
 * often it worked. Whoever says what is sent (`intent`) gets the same idempotency key for the same thing until it
 * worked, and a second click while it is under way joins the first. A button that is off meanwhile loses the focus; it
 * has it again afterwards, unless it was wanted elsewhere.
 */
export function useSend<Answer = unknown>({ alert = false }: SendOptions = {}) {
  const [done, setDone] = useState(0);
  const last = useRef({ intent: "", key: "" });
  const under = useRef(new Map<string, Promise<Problem | undefined>>());
  const { mutateAsync, isPending, error, data, reset } = useMutation({
    mutationFn: ({ work, key }: { work: Work<Answer>; key: string }) => work(key),
    networkMode: "always", // without a network it fails at once, and says so
    gcTime: 0, // what was typed is held no longer than it is shown
    retry: false,
  });

  const held = useRef<Element>(null);
  useEffect(() => {
    if (isPending) return;
    const before = held.current;
    held.current = null;
    if (before instanceof HTMLElement && document.activeElement === document.body)
      before.focus({ preventScroll: true });
  }, [isPending]);

  function keyOf(intent: string | undefined): string {
    if (intent === undefined) return newKey();
    if (last.current.intent !== intent) last.current = { intent, key: newKey() };
    return last.current.key;
  }

  async function run(work: Work<Answer>, intent?: string): Promise<Problem | undefined> {
    held.current = document.activeElement;
    try {
      await mutateAsync({ work, key: keyOf(intent) });
    } catch (cause) {
      const problem = problemOf(cause);
      if (alert === true) void tellProblem(problem);
      else if (alert) alert(problem);
      return problem;
    }
    if (last.current.intent === intent) last.current = { intent: "", key: "" };
    setDone((was) => was + 1);
    return undefined;
  }

  return {
    busy: isPending,
    problem: error && !alert ? problemOf(error) : undefined,
    answer: data,
    done,
    forget: reset,
    /** Answers why it failed, or nothing. */
    send(work: Work<Answer>, intent?: unknown): Promise<Problem | undefined> {
      if (intent === undefined) return run(work);
      const hash = hashKey([intent]);
      const joined = under.current.get(hash);
      if (joined) return joined;
      const sent = run(work, hash).finally(() => under.current.delete(hash));
      under.current.set(hash, sent);
      return sent;
    },
  };
}
