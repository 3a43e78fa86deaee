import { type ComponentType, useEffect, useEffectEvent, useState } from "react";
import { tellProblem } from "~/shared/alerts/alerts";

type DialogProps = { onClose: () => void };
type Script = () => Promise<{ default: ComponentType<DialogProps> }>;

const held = new Map<Script, ComponentType<DialogProps>>();

/**
 * A dialog whose script is fetched when it is wanted first. One that cannot be fetched is told of and closed, the page
 * behind it stays, and the next press asks again.
 */
export function FetchedDialog({ script, onClose }: DialogProps & { script: Script }) {
  const [Dialog, setDialog] = useState(() => held.get(script));
  const fail = useEffectEvent((cause: unknown) => {
    void tellProblem(cause);
    onClose();
  });
  useEffect(() => {
    let wanted = !held.has(script);
    if (wanted)
      script()
        .then((fetched) => {
          held.set(script, fetched.default);
          if (wanted) setDialog(() => fetched.default);
        })
        .catch((cause) => {
          if (wanted) fail(cause);
        });
    return () => {
      wanted = false;
    };
  }, [script]);
  return Dialog ? <Dialog onClose={onClose} /> : null;
}
