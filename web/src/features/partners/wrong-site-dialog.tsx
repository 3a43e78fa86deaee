import { Trans, useLingui } from "@lingui/react/macro";
import { Button, Checkbox } from "@mantine/core";
import { useSend } from "~/shared/api/send";
import { CONSTANTS } from "~/shared/constants";
import { useFields } from "~/shared/forms/fields";
import { nextFor } from "~/shared/session/access";
import { signOut } from "~/shared/session/sign-out";
import { useSiteCountry } from "~/shared/session/site-country";
import { Dialog } from "~/shared/ui/dialogs/dialog";
import classes from "./select-business.module.css";

type WrongSiteDialogProps = {
  other: { login_url: string; label: string };
  /** `never`: and do not ask again. */
  onStay: (never: boolean) => void;
};

/** The question; leaving signs out here first. */
export default function WrongSiteDialog({ other, onStay }: WrongSiteDialogProps) {
  const { t } = useLingui();
  const form = useFields({ never: { rules: [] } }, { leavable: true });
  const box = form.box("never");
  const never = box.checked;
  const { busy: leaving, send } = useSend({ alert: true });
  const { login_url, label } = other;
  const isCanadian = useSiteCountry() === "CA";

  async function visit() {
    const { pathname, search } = window.location; // before they lead to our own login
    const next = nextFor(pathname + search);
    await send(() => signOut());
    window.location.assign(next ? `${login_url}?${new URLSearchParams({ next })}` : login_url);
  }

  return (
    <Dialog
      busy={leaving}
      onClose={() => onStay(never)}
      size={CONSTANTS.modalMaxWidth}
      title={t`Is this the right site?`}
    >
      <p style={{ marginTop: 0 }}>
        <Trans>
          Your business belongs to {label}. Prices, taxes and carriers differ between the sites.
        </Trans>
      </p>
      <Checkbox size="md" label={t`Do not show this again`} {...box} />
      <div className={classes.actions} style={{ marginTop: 24 }}>
        <Button variant="default" size="md" onClick={() => onStay(never)} disabled={leaving}>
          <Trans>Stay</Trans>
        </Button>
        <Button size="md" onClick={visit} loading={leaving}>
          {isCanadian ? <Trans>Visit U.S. Site</Trans> : <Trans>Visit Canadian Site</Trans>}
        </Button>
      </div>
    </Dialog>
  );
}
