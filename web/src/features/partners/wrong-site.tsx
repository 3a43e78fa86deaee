import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Checkbox, Modal } from "@mantine/core";
import { useState } from "react";
import { signOut } from "~/shared/api/sign-out";
import { CONSTANTS } from "~/shared/constants";
import { useSession, workOf } from "~/shared/session/session";
import { isCanadian, useSite } from "~/shared/session/site";
import { storageKey } from "~/shared/storage";
import classes from "./select-business.module.css";

const DO_NOT_SHOW = "1";

/** Asks whether a business of the other country is on the right site (shell spec 4). */
export function WrongSite() {
  const { t } = useLingui();
  const now = useSession();
  const site = useSite();
  const [stayed, setStayed] = useState(false);
  const [never, setNever] = useState(false);
  const [leaving, setLeaving] = useState(false);
  if (now.state !== "signed-in" || stayed || !site?.other) return null;
  const key = storageKey("wrong_site", now.user.id);
  if (!workOf(now)?.business?.is_wrong_site || localStorage.getItem(key) === DO_NOT_SHOW) {
    return null;
  }
  const { login_url, label } = site.other;

  function stay() {
    if (never) localStorage.setItem(key, DO_NOT_SHOW);
    setStayed(true);
  }

  async function visit() {
    setLeaving(true);
    await signOut().catch(() => undefined);
    window.location.assign(login_url);
  }

  return (
    <Modal
      opened
      onClose={() => (leaving ? undefined : stay())}
      size={CONSTANTS.modalMaxWidth}
      title={t`Is this the right site?`}
      closeButtonProps={{ "aria-label": t`Close` }}
    >
      <p style={{ marginTop: 0 }}>
        <Trans>
          Your business belongs to {label}. Prices, taxes and carriers differ between the sites.
        </Trans>
      </p>
      <Checkbox
        size="md"
        label={t`Do not show this again`}
        checked={never}
        onChange={(event) => setNever(event.currentTarget.checked)}
      />
      <div className={classes.actions} style={{ marginTop: 24 }}>
        <Button variant="default" size="md" onClick={stay} disabled={leaving}>
          <Trans>Stay</Trans>
        </Button>
        <Button size="md" onClick={visit} loading={leaving}>
          {isCanadian() ? <Trans>Visit U.S. Site</Trans> : <Trans>Visit Canadian Site</Trans>}
        </Button>
      </div>
    </Modal>
  );
}
