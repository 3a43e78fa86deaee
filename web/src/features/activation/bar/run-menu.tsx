import { Trans, useLingui } from "@lingui/react/macro";
import { ActionIcon, Menu } from "@mantine/core";
import { useState } from "react";
import { useSession } from "~/shared/session/session";
import { MoreIcon } from "~/shared/ui/pictures/icons";
import "~/shared/ui/dialogs/overlays";
import { AbandonDialog } from "../dialogs/abandon";
import { ChangeDeviceDialog } from "../dialogs/change-device";
import { HandOverDialog } from "../dialogs/hand-over";
import { ResetDialog } from "../dialogs/reset";
import type { Run } from "../session-hook";

type Open = "reset" | "change" | "hand-over" | "abandon" | undefined;

/** What is rarely needed: start over, another device, a colleague, give up. Each asks first. */
export function RunMenu({ run }: { run: Run }) {
  const { t } = useLingui();
  const [open, setOpen] = useState<Open>();
  const known = useSession().state === "signed-in";
  const { view } = run.answer;
  const handable = known && !view.guest;
  const close = () => setOpen(undefined);
  return (
    <>
      <Menu position="bottom-end" width={270}>
        <Menu.Target>
          <ActionIcon variant="transparent" color="white" size={48} aria-label={t`More actions`}>
            <MoreIcon />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item disabled={!handable} onClick={() => setOpen("hand-over")}>
            <Trans>Hand over to a colleague</Trans>
          </Menu.Item>
          <Menu.Item disabled={!run.can("CHANGE_DEVICE")} onClick={() => setOpen("change")}>
            <Trans>Use another device</Trans>
          </Menu.Item>
          <Menu.Item disabled={!run.can("RESET")} onClick={() => setOpen("reset")}>
            <Trans>Start over</Trans>
          </Menu.Item>
          <Menu.Item disabled={!run.can("ABANDON")} onClick={() => setOpen("abandon")}>
            <Trans>Abandon</Trans>
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {open === "reset" ? <ResetDialog run={run} onClose={close} /> : null}
      {open === "change" ? <ChangeDeviceDialog run={run} onClose={close} /> : null}
      {open === "hand-over" ? <HandOverDialog run={run} onClose={close} /> : null}
      {open === "abandon" ? <AbandonDialog run={run} onClose={close} /> : null}
    </>
  );
}
