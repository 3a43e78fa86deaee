import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Checkbox, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, Navigate, useNavigate } from "@tanstack/react-router";
import { problemOf } from "~/shared/api/errors";
import { useSend } from "~/shared/api/send";
import { boxed, useFields } from "~/shared/forms/fields";
import { RULES } from "~/shared/forms/validation";
import { session, useSession } from "~/shared/session/session";
import { useSiteCountry } from "~/shared/session/site-country";
import { Note, ProblemNote } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import { PageSkeleton } from "~/shared/ui/screens/page-skeleton";
import { Panel } from "~/shared/ui/screens/panel";
import { ChoiceCards } from "../parts/choice-cards";
import { DeviceFacts } from "../parts/device-facts";
import { deviceCheckQuery } from "../queries";
import type { ActivationType } from "../types";
import { TYPE_WORDS } from "../words";
import { type Entered, recalled } from "./entered";
import { RefusedTypes } from "./refused-types";
import classes from "./setup.module.css";
import { startActivation } from "./start";

const TYPES: readonly ActivationType[] = [
  "new-device",
  "replace-device",
  "service-device",
  "verizon-sim",
  "purchase-subscription",
];

/** Activation Type. After a reload the device is asked about again; a guest has to prove possession anew. */
export function ChooseTypeScreen({ deviceKey }: { deviceKey: string | undefined }) {
  const signedIn = useSession().state === "signed-in";
  const entered = recalled(deviceKey);
  if (entered) return <ChooseType entered={entered} />;
  return deviceKey && signedIn ? <Named deviceKey={deviceKey} /> : <Enter deviceKey={deviceKey} />;
}

function Named({ deviceKey }: { deviceKey: string }) {
  const asked = useQuery(deviceCheckQuery(deviceKey, useSiteCountry() === "CA"));
  const problem = asked.error ? problemOf(asked.error) : undefined;
  if (problem?.passing)
    return <ProblemNote problem={problem} onRetry={() => void asked.refetch()} />;
  if (asked.isLoading) return <PageSkeleton />;
  const found = asked.data?.results[0];
  if (!found || found.activation) return <Enter deviceKey={deviceKey} />;
  return <ChooseType entered={{ device_key: deviceKey, found }} />;
}

function Enter({ deviceKey }: { deviceKey: string | undefined }) {
  return <Navigate to="/activation" search={{ device: deviceKey }} replace />;
}

/** Whether the vehicle's owner gets a device by it, so that the welcome mail goes to them. */
function isForAnOwner(type: string | undefined): boolean {
  return type === "new-device" || type === "replace-device";
}

function ChooseType({ entered }: { entered: Entered }) {
  const { t, i18n } = useLingui();
  const navigate = useNavigate();
  const types = entered.found.activation_types ?? [];
  const { busy, problem, send } = useSend();
  const form = useFields(
    {
      type: { rules: ["required"], initial: types.length === 1 ? types[0] : undefined },
      consumer_email: {
        rules: [(email, { type }) => (isForAnOwner(type) ? RULES.email(email) : undefined)],
        shape: (typed) => typed.trim(),
      },
      advanced: { rules: [], initial: boxed(advancedFlow()) },
    },
    { leavable: true },
  );
  const chosen = form.choice<ActivationType | "">("type");
  const advanced = form.box("advanced");
  const type = chosen.value;

  async function start({ consumer_email }: typeof form.texts) {
    if (type === "") return;
    const { device_key, iccid_last_digits } = entered;
    const body = {
      device_key,
      iccid_last_digits,
      type,
      advanced: advanced.checked,
      consumer_email: (isForAnOwner(type) && consumer_email) || undefined,
    };
    const refused = await send(async (key) => {
      const { id, step, hash } = await startActivation(body, key);
      await navigate({ to: "/activation/device", search: { id, step }, hash });
    }, body);
    if (refused) form.refuse(refused);
  }

  return (
    <div className={classes.page}>
      <Heading>
        <Trans>Activation Type</Trans>
      </Heading>
      <div className={classes.columns}>
        <Panel>
          <form className={classes.form} onSubmit={form.submit(start)} noValidate>
            <ProblemNote
              problem={problem}
              onRetry={problem?.passing ? () => void start(form.texts) : undefined}
            />
            {problem?.code === "device_in_use" ? (
              <Link to="/devices/$key" params={{ key: entered.device_key }}>
                <Trans>Open the device to end what somebody else began</Trans>
              </Link>
            ) : null}
            {types.length === 0 ? (
              <Note tone="wait">
                <Trans>There is nothing to do for this device at present.</Trans>
              </Note>
            ) : (
              <ChoiceCards
                legend={t`What do you want to do?`}
                name={chosen.name}
                value={type || undefined}
                onChange={chosen.onChange}
                cards={types.map((value) => ({
                  value,
                  name: i18n._(TYPE_WORDS[value].name),
                  what: i18n._(TYPE_WORDS[value].what),
                }))}
              />
            )}
            <RefusedTypes
              found={entered.found}
              types={TYPES.filter((name) => !types.includes(name))}
            />
            {chosen.error ? <Note tone="fail">{chosen.error}</Note> : null}
            {isForAnOwner(type) ? (
              <TextInput
                size="md"
                type="email"
                label={t`Email of the vehicle's owner (optional)`}
                description={t`The welcome mail goes there at the end.`}
                autoComplete="off"
                {...form.field("consumer_email")}
              />
            ) : null}
            <Checkbox
              size="md"
              label={t`Advanced flow`}
              description={t`Shows every setting of the steps, and the KeyLocker's inputs and outputs.`}
              {...advanced}
              onChange={(event) => {
                keepAdvancedFlow(event.currentTarget.checked);
                advanced.onChange(event);
              }}
            />
            <Button type="submit" size="lg" loading={busy} disabled={types.length === 0}>
              <Trans>Start</Trans>
            </Button>
          </form>
        </Panel>
        <aside className={classes.aside}>
          <DeviceFacts device={entered.found} />
        </aside>
      </div>
    </div>
  );
}

function advancedFlow(): boolean {
  return localStorage.getItem(advancedKey()) === "true";
}

function keepAdvancedFlow(on: boolean): void {
  localStorage.setItem(advancedKey(), String(on));
}

/** One key per user (rulings, "Screens"). */
function advancedKey(): string {
  const present = session();
  return present.state === "anonymous" ? "advanced_flow" : `advanced_flow:${present.user.id}`;
}
