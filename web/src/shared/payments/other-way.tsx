import { Trans } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { land } from "~/shared/ui/hand-on";

type OtherWayProps = {
  className?: string;
  /** Why it is offered; it stays. */
  said?: ReactNode;
  /** What is offered beside it, and gives way with it. */
  beside?: ReactNode;
  /** Another way to pay for the same. */
  children: ReactNode;
};

const landBehind = (place: Element | null) => land(place?.nextElementSibling);

/** Offers another way to pay for the same, which takes the place of the button, and its focus. */
export function OtherWay({ className, said, beside, children }: OtherWayProps) {
  const [other, setOther] = useState(false);
  if (other)
    return (
      <>
        <span hidden ref={landBehind} />
        {said}
        {children}
      </>
    );
  return (
    <>
      {said}
      <Button size="md" variant="default" className={className} onClick={() => setOther(true)}>
        <Trans>Pay in another way</Trans>
      </Button>
      {beside}
    </>
  );
}
