import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { Link, Navigate } from "@tanstack/react-router";
import { wordsFor } from "~/shared/api/error-words";
import { useSession } from "~/shared/session/session";
import { CheckIcon } from "~/shared/ui/pictures/icons";
import { Heading } from "~/shared/ui/screens/heading";
import { Panel } from "~/shared/ui/screens/panel";
import { DeviceFacts } from "../parts/device-facts";
import { recalled } from "../start/entered";
import type { ActivationView } from "../types";
import { Brought } from "./brought";
import classes from "./ended.module.css";
import { Summary } from "./summary";

/** How a run ended, and what can be done next. */
export function Ended({ view, state }: { view: ActivationView; state: string }) {
  const { i18n } = useLingui();
  const mayChoose = useSession().state === "signed-in";
  if (state === "choose-type") {
    const key = view.device.device_key;
    const to = mayChoose || recalled(key) ? "/activation/select-activation-type" : "/activation";
    return <Navigate to={to} search={{ device: key }} replace />;
  }
  const reason = view.error ? wordsFor({ ...view.error, run: "activation" }) : undefined;
  return (
    <Panel className={classes.ended}>
      {state === "completed" ? (
        <>
          <span className={classes.seal}>
            <CheckIcon size={34} />
          </span>
          <Heading focusKey={state}>
            <Trans>Activation complete</Trans>
          </Heading>
          <p>
            {view.type !== "purchase-subscription" ? (
              <Trans>The device is activated and installed.</Trans>
            ) : view.facts.purchase?.provisioned ? (
              <Trans>The device stays as it was; only its plan is new.</Trans>
            ) : (
              <Trans>The device stays as it was, and no plan was bought.</Trans>
            )}
          </p>
          <Summary view={view} />
          <Brought view={view} />
        </>
      ) : state === "refused" ? (
        <>
          <Heading focusKey={state}>
            <Trans>This device cannot be activated now</Trans>
          </Heading>
          <p role="alert">{typeof reason === "string" ? reason : reason ? i18n._(reason) : null}</p>
        </>
      ) : state === "abandoned" ? (
        <>
          <Heading focusKey={state}>
            <Trans>This activation was abandoned</Trans>
          </Heading>
          <p>
            <Trans>
              Starting again with the same device goes on from the step where it was left.
            </Trans>
          </p>
        </>
      ) : (
        <>
          <Heading focusKey={state}>
            <Trans>Our team looks into this activation</Trans>
          </Heading>
          <p role="alert">{typeof reason === "string" ? reason : reason ? i18n._(reason) : null}</p>
        </>
      )}
      <DeviceFacts device={view.device} brief />
      <div className={classes.actions}>
        {state === "completed" ? (
          <Button
            size="lg"
            renderRoot={(props) => (
              <Link to="/activation/handout" search={{ id: view.id }} hash={true} {...props} />
            )}
          >
            <Trans>Show it to the car's owner</Trans>
          </Button>
        ) : null}
        <Button
          size="lg"
          variant={state === "completed" ? "default" : "filled"}
          renderRoot={(props) => (
            <Link
              to="/activation"
              search={state === "completed" ? {} : { device: view.device.device_key }}
              {...props}
            />
          )}
        >
          {state === "completed" ? (
            <Trans>Activate another device</Trans>
          ) : (
            <Trans>Start again</Trans>
          )}
        </Button>
        <Button size="lg" variant="default" renderRoot={(props) => <Link to="/" {...props} />}>
          <Trans>To the dashboard</Trans>
        </Button>
      </div>
    </Panel>
  );
}
