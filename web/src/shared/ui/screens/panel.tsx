import type { ComponentProps } from "react";
import classes from "./panel.module.css";

export function Panel({ className, ...rest }: ComponentProps<"section">) {
  return <section {...rest} className={[classes.panel, className].filter(Boolean).join(" ")} />;
}
