import { Trans } from "@lingui/react/macro";
import { useSession, workOf } from "~/shared/session/session";
import { useSite } from "~/shared/session/site";
import { Preferences } from "~/shared/ui/fields/preferences";
import { Note } from "~/shared/ui/notes/note";
import { Heading } from "~/shared/ui/screens/heading";
import { Panel } from "~/shared/ui/screens/panel";
import settings from "~/shared/ui/screens/settings.module.css";
import { About } from "./about";
import { EmailAddress } from "./email";
import { Mfa } from "./mfa";
import { Password } from "./password";
import { Phone } from "./phone";
import classes from "./profile.module.css";
import { Sessions } from "./sessions";
import { TrustedDevices } from "./trusted-devices";

/** One's own record and the ways in. While a rep acts for a business the secrets stay shut (the server keeps the rule). */
export function ProfileScreen() {
  const now = useSession();
  const mfa = useSite()?.features.mfa;
  if (now.state === "anonymous") return null;
  const acting = now.user.is_sales_rep && Boolean(workOf(now)?.business);
  return (
    <div className={`${classes.page} ${settings.page}`}>
      <Heading>
        <Trans>My Profile</Trans>
      </Heading>
      {acting ? (
        <Note tone="wait">
          <Trans>
            While you work for a business your own record cannot be changed. Exit first.
          </Trans>
        </Note>
      ) : null}
      <About user={now.user} locked={acting} />
      <EmailAddress user={now.user} locked={acting} />
      <Phone user={now.user} locked={acting} />
      <Password locked={acting} />
      {mfa ? <Mfa user={now.user} locked={acting} /> : null}
      {mfa ? <TrustedDevices locked={acting} /> : null}
      <Panel>
        <h2>
          <Trans>On this device</Trans>
        </h2>
        <Preferences />
      </Panel>
      <Sessions />
    </div>
  );
}
