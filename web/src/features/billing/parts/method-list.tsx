import { Trans } from "@lingui/react/macro";
import type { SavedMethod } from "~/shared/payments/types";
import classes from "../billing.module.css";
import { Method } from "./method";

export function MethodList({ methods }: { methods: readonly SavedMethod[] }) {
  if (methods.length === 0)
    return (
      <p className={classes.none}>
        <Trans>None yet.</Trans>
      </p>
    );
  return (
    <ul className={classes.methods}>
      {methods.map((method) => (
        <Method key={method.id} method={method} />
      ))}
    </ul>
  );
}
