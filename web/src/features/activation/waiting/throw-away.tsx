import { Trans, useLingui } from "@lingui/react/macro";
import { type ReactNode, type Ref, useState } from "react";
import { DangerButton } from "~/shared/ui/buttons/danger-button";

type ThrowAwayProps = {
  name: string;
  onThrow: () => void;
  /** What the first press says, in place of the plain word. */
  children?: ReactNode;
  ref?: Ref<HTMLSpanElement>;
};

/** What was typed is gone then, so it takes two presses. */
export function ThrowAway({ name, onThrow, children, ref }: ThrowAwayProps) {
  const { t } = useLingui();
  const [asked, setAsked] = useState(false);
  return (
    <span ref={ref}>
      <DangerButton
        variant={asked ? undefined : children ? "default" : "subtle"}
        aria-label={
          asked ? t`Yes, throw away: ${name}` : children ? undefined : t`Throw away: ${name}`
        }
        onBlur={() => setAsked(false)}
        onClick={() => (asked ? onThrow() : setAsked(true))}
      >
        {asked ? <Trans>Yes, throw away</Trans> : (children ?? <Trans>Throw away</Trans>)}
      </DangerButton>
    </span>
  );
}
