import { Trans, useLingui } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { TERM_WORDS } from "~/shared/plans/words";
import { CarIcon, CheckIcon } from "~/shared/ui/pictures/icons";
import { Heading } from "~/shared/ui/screens/heading";
import { COMMAND_WORDS } from "../words";
import classes from "./handout.module.css";
import type { Handout } from "./queries";
import { APP_WORDS } from "./words";

/** What the car's owner is shown and keeps: nothing of money, nobody's address. `children` is what belongs to the code. */
export function HandoutCard({ handout, children }: { handout: Handout; children?: ReactNode }) {
  const { t, i18n } = useLingui();
  const { vehicle, business, plan } = handout;
  const on = i18n.date(handout.completed_at, { dateStyle: "long" });
  const day = plan ? i18n.date(plan.ends_at, { dateStyle: "long" }) : "";
  const name = (command: string) =>
    COMMAND_WORDS[command] ? i18n._(COMMAND_WORDS[command]) : command;
  return (
    <article className={classes.card}>
      <header className={classes.hero}>
        <span className={classes.seal}>
          <CarIcon size={40} />
        </span>
        <div>
          <Heading>
            {vehicle ? (
              <Trans>
                Your {vehicle.year} {vehicle.make} {vehicle.model} is ready
              </Trans>
            ) : (
              <Trans>Your device is ready</Trans>
            )}
          </Heading>
          <p>
            {business ? (
              <Trans>
                Installed by {business} on {on}
              </Trans>
            ) : (
              <Trans>Installed on {on}</Trans>
            )}
          </p>
        </div>
      </header>
      <div className={classes.columns}>
        <div className={classes.told}>
          <section>
            <h2>
              <Trans>What your app can do now</Trans>
            </h2>
            {plan?.is_suspended ? (
              <p>
                <Trans>
                  The plan is suspended. Until it is active again the app does not reach the
                  vehicle.
                </Trans>
              </p>
            ) : handout.has_plan ? (
              <Ticks
                lines={handout.can_do.map((one) => (APP_WORDS[one] ? i18n._(APP_WORDS[one]) : one))}
                none={<Trans>The plan is live. No function was tested with the vehicle.</Trans>}
              />
            ) : (
              <p>
                <Trans>The app reaches the vehicle once the device has a plan.</Trans>
              </p>
            )}
          </section>
          <section>
            <h2>
              <Trans>Tested in your vehicle</Trans>
            </h2>
            <Ticks
              lines={[
                ...(handout.connected ? [t`Connection to the network`] : []),
                ...handout.tests.map(name),
              ]}
              none={<Trans>Nothing was tested.</Trans>}
            />
          </section>
        </div>
        {children}
      </div>
      <dl className={classes.facts}>
        {plan ? (
          <div>
            <dt>
              <Trans>Plan</Trans>
            </dt>
            <dd>
              {plan.name}, {i18n._(TERM_WORDS[plan.term])}, <Trans>until {day}</Trans>
            </dd>
          </div>
        ) : null}
        <div>
          <dt>
            <Trans>Serial number</Trans>
          </dt>
          <dd className={classes.key}>{handout.device_key}</dd>
        </div>
        {handout.product_name ? (
          <div>
            <dt>
              <Trans>Product</Trans>
            </dt>
            <dd>{handout.product_name.toUpperCase()}</dd>
          </div>
        ) : null}
        {handout.versions.map(({ label, version }) => (
          <div key={label}>
            <dt>{label ? <Trans>Firmware, {label}</Trans> : <Trans>Firmware</Trans>}</dt>
            <dd>{version}</dd>
          </div>
        ))}
      </dl>
    </article>
  );
}

function Ticks({ lines, none }: { lines: readonly string[]; none: ReactNode }) {
  if (lines.length === 0) return <p>{none}</p>;
  return (
    <ul className={classes.ticks}>
      {lines.map((line) => (
        <li key={line}>
          <CheckIcon />
          {line}
        </li>
      ))}
    </ul>
  );
}
