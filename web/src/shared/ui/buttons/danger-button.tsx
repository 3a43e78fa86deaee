import { Button, type ButtonProps } from "@mantine/core";
import type { ComponentPropsWithoutRef } from "react";

type DangerButtonProps = ButtonProps & Omit<ComponentPropsWithoutRef<"button">, keyof ButtonProps>;

const COLOURS = {
  root: {
    "--button-bg": "var(--fail)",
    "--button-hover": "color-mix(in srgb, var(--fail) 88%, var(--surface))",
    "--button-color": "var(--surface)",
  },
};

/** The answer after which something has ended, or is gone. In another variant it has not been asked yet, and looks like others. */
export function DangerButton({ variant = "filled", ...rest }: DangerButtonProps) {
  const vars = () => (variant === "filled" ? COLOURS : { root: {} });
  return <Button size="md" variant={variant} vars={vars} {...rest} />;
}
