import { CatchBoundary } from "@tanstack/react-router";
import {
  type ComponentType,
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useEffectEvent,
  useReducer,
} from "react";
import { tellProblem } from "~/shared/alerts/alerts";
import { isMissingScript } from "./screens/not-loaded-screen";

type Script<Props> = () => Promise<{ default: (props: Props) => ReactNode }>;

type Instead<Props> = {
  pending?: (props: Props) => ReactNode;
  failed?: (props: Props, cause: unknown) => ReactNode;
};

/**
 * A part whose script is fetched when it is shown first, with `pending` in its place meanwhile. One that cannot be fetched
 * takes nothing else with it: `failed` stands there, or nothing, and it is asked for again with the signal, and whenever
 * what is round it is shown anew.
 */
export function fetched<Props extends object>(
  script: Script<Props>,
  { pending, failed }: Instead<Props> = {},
): ComponentType<Props> {
  let Part: ComponentType<Props> = lazy(script);

  // biome-ignore lint/correctness/noComponentHookFactories: called once for each part, at the top of a module, as `lazy` is
  return function Fetched(props: Props) {
    const [, again] = useReducer((times: number) => times + 1, 0);
    return (
      <CatchBoundary
        getResetKey={() => Part}
        onCatch={(cause) => {
          // React keeps the failure of what it fetched once.
          if (isMissingScript(cause)) Part = lazy(script);
        }}
        errorComponent={({ error }) => {
          if (!isMissingScript(error)) throw error;
          return <Missing onSignal={again}>{failed?.(props, error)}</Missing>;
        }}
      >
        <Suspense fallback={pending?.(props)}>
          <Part {...props} />
        </Suspense>
      </CatchBoundary>
    );
  };
}

type DialogProps = { onClose: () => void; open?: boolean };

export type Asked = {
  /** What was pressed for it; nothing where an answer asks for it, which nobody gives up by going on. */
  button: RefObject<HTMLElement | null> | null | undefined;
};

/**
 * The same of a dialog: one that cannot be fetched is told of and closed, and the next press asks again. Whoever goes on
 * beside its button before it came has given it up.
 */
export function fetchedDialog<Props extends DialogProps>(script: Script<Props>) {
  return fetched<Props & Asked>(script, {
    pending: ({ onClose, open = true, button }) =>
      open && button ? <Awaited button={button} onGivenUp={onClose} /> : null,
    // Nobody has asked for what is not open yet.
    failed: ({ onClose, open = true }, cause) =>
      open ? <Told cause={cause} onTold={onClose} /> : null,
  });
}

type AwaitedProps = { button: RefObject<HTMLElement | null>; onGivenUp: () => void };

/** It would open over what somebody does by then. */
function Awaited({ button, onGivenUp }: AwaitedProps) {
  const goOn = useEffectEvent(({ target }: Event) => {
    if (!button.current?.contains(target as Node)) onGivenUp(); // both come of what is in the page
  });
  useEffect(() => {
    const stop = new AbortController();
    for (const kind of ["pointerdown", "focusin"])
      addEventListener(kind, (event) => goOn(event), { capture: true, signal: stop.signal });
    return () => stop.abort();
  }, []);
  return null;
}

function Missing({ onSignal, children }: { onSignal: () => void; children: ReactNode }) {
  useEffect(() => {
    window.addEventListener("online", onSignal);
    return () => window.removeEventListener("online", onSignal);
  }, [onSignal]);
  return children;
}

/** Says once why it is not there. */
export function Told({ cause, onTold }: { cause: unknown; onTold?: () => void }) {
  const tell = useEffectEvent(() => {
    void tellProblem(cause);
    onTold?.();
  });
  useEffect(() => tell(), []);
  return null;
}
