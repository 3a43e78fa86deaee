import { useLingui } from "@lingui/react/macro";
import { Button, type ButtonProps } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { CONSTANTS } from "~/shared/constants";
import { CheckIcon } from "../pictures/icons";

type DoneButtonProps = ButtonProps & {
  /** Counts successes: each new one shows the check for a second. */
  done: number;
  type?: "submit" | "button";
  onClick?: () => void;
  children: ReactNode;
};

export function DoneButton({ done, children, type = "submit", ...rest }: DoneButtonProps) {
  const { t } = useLingui();
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (done === 0) return;
    setShown(true);
    const timer = setTimeout(() => setShown(false), CONSTANTS.successCheck);
    return () => clearTimeout(timer);
  }, [done]);
  return (
    <>
      <Button type={type} {...rest} leftSection={shown ? <CheckIcon /> : undefined}>
        {children}
      </Button>
      <span className="quiet" role="status">
        {shown ? t`Done` : ""}
      </span>
    </>
  );
}
