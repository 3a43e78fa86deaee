import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { tell } from "~/shared/alerts/alerts";
import { keyOf } from "~/shared/api/operation";
import { useSend } from "~/shared/api/send";
import { Dialog } from "~/shared/ui/dialogs/dialog";
import { ProblemNote } from "~/shared/ui/notes/note";
import classes from "../operations.module.css";
import { type Account, lockAccount } from "./account";

/** Locks an account after a question. Escape, the cross and Cancel all mean no. */
export function LockAccount({ account }: { account: Account }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const { email } = account;
  const [asking, setAsking] = useState(false);
  const { busy, problem, forget, send } = useSend();

  function close() {
    setAsking(false);
    forget();
  }

  async function lock() {
    const failed = await send(async () => {
      await lockAccount(account.id);
      await queries.invalidateQueries({ queryKey: keyOf("get", "/v1/operations/account") });
    });
    if (failed) return;
    close();
    tell({ type: "success", content: msg`The account is locked.` });
  }

  if (account.is_locked) {
    return (
      <p className={classes.quiet}>
        <Trans>Only a reset of the password, by mail, unlocks it.</Trans>
      </p>
    );
  }
  return (
    <>
      <Button size="md" onClick={() => setAsking(true)}>
        <Trans>Lock the account</Trans>
      </Button>
      {asking ? (
        <Dialog onClose={close} busy={busy} title={t`Lock this account?`}>
          <div className={classes.settle}>
            <p>
              <Trans>
                {email} is logged out everywhere. Links, codes and trusted devices end. Nobody logs
                in before the password is reset by mail.
              </Trans>
            </p>
            <ProblemNote problem={problem} />
            <div className={classes.ends}>
              <Button size="md" variant="default" data-autofocus disabled={busy} onClick={close}>
                <Trans>Cancel</Trans>
              </Button>
              <Button size="md" loading={busy} onClick={() => void lock()}>
                <Trans>Lock the account</Trans>
              </Button>
            </div>
          </div>
        </Dialog>
      ) : null}
    </>
  );
}
