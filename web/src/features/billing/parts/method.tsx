import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { ActionIcon, Menu } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { tell } from "~/shared/alerts/alerts";
import { useSend } from "~/shared/api/send";
import { changeMethod, deleteMethod } from "~/shared/payments/calls";
import { expiryOf, faultOfMethod, nameOf } from "~/shared/payments/method-words";
import { askForMethods } from "~/shared/payments/queries";
import type { SavedMethod } from "~/shared/payments/types";
import { MoreIcon } from "~/shared/ui/pictures/icons";
import "~/shared/ui/dialogs/overlays";
import { Confirm } from "~/shared/ui/dialogs/confirm";
import { Status } from "~/shared/ui/notes/status";
import classes from "../billing.module.css";
import { useDefault } from "../default";
import { EditForm } from "./edit-form";
import { Verify } from "./verify";

/** One card or bank account, and what may be done with it. */
export function Method({ method }: { method: SavedMethod }) {
  const { t, i18n } = useLingui();
  const cache = useQueryClient();
  const choose = useDefault();
  const [open, setOpen] = useState<"edit" | "delete">();
  const { busy, send } = useSend({ alert: true });
  const name = nameOf(method, i18n);
  const usable = method.status === "ready" && method.isValid;
  const close = () => setOpen(undefined);

  const attempt = (what: string, change: (key: string) => Promise<void>) =>
    send(async (key) => {
      await change(key);
      await askForMethods(cache);
      close();
    }, what);

  const isHidden = !method.isHidden;
  const hide = () =>
    attempt(isHidden ? "hide" : "show", (key) => changeMethod(method, { isHidden }, key));
  const remove = () =>
    attempt("delete", async () => {
      await deleteMethod(method);
      tell({ content: i18n._(msg`${name} was deleted.`), type: "success" });
    });

  return (
    <li className={classes.method} data-hidden={method.isHidden}>
      <div className={classes.row}>
        <span className={classes.face} data-type={method.type} aria-hidden="true">
          <span>{method.type === "CARD" ? faceName(method.brand) : t`Bank`}</span>
          <span>•• {method.last4}</span>
        </span>
        <div className={classes.what}>
          <b>{name}</b>
          <MethodStatus method={method} />
          <p className={classes.address}>{addressLine(method)}</p>
        </div>
        <input
          type="radio"
          name={`default-${method.id}`} // a group of its own: an arrow key in one of all would write at each
          className={classes.default}
          aria-label={method.isMain ? t`Default: ${name}` : t`Make default: ${name}`}
          title={usable ? t`The default pays unless another is chosen` : t`Cannot be the default`}
          checked={method.isMain}
          disabled={!usable}
          onChange={() => void choose(method)}
        />
        <Menu position="bottom-end" width={240}>
          <Menu.Target>
            <ActionIcon variant="subtle" size={44} aria-label={t`Actions: ${name}`}>
              <MoreIcon />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setOpen("edit")}>
              <Trans>Edit</Trans>
            </Menu.Item>
            {method.isMain ? null : (
              <Menu.Item disabled={busy} onClick={() => void hide()}>
                {method.isHidden ? <Trans>Show at checkout</Trans> : <Trans>Hide</Trans>}
              </Menu.Item>
            )}
            <Menu.Item onClick={() => setOpen("delete")}>
              <Trans>Delete</Trans>
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      {method.status === "pending" ? <Verify method={method} name={name} /> : null}
      {open === "edit" ? <EditForm method={method} name={name} onClose={close} /> : null}
      {open === "delete" ? (
        <Confirm
          title={t`Delete ${name}?`}
          confirm={t`Delete`}
          busy={busy}
          onConfirm={() => void remove()}
          onClose={close}
        >
          {method.isMain ? (
            <Trans>It is the default. Another one that can be used becomes the default.</Trans>
          ) : (
            <Trans>It can be added again later.</Trans>
          )}
        </Confirm>
      ) : null}
    </li>
  );
}

function MethodStatus({ method }: { method: SavedMethod }) {
  const { i18n } = useLingui();
  const fault = faultOfMethod(method);
  const expiry = expiryOf(method);
  return (
    <>
      {method.isMain ? (
        <Status tone="ok">
          <Trans>Default</Trans>
        </Status>
      ) : null}
      {expiry ? (
        <small>
          <Trans>Expires {expiry}</Trans>
        </small>
      ) : null}
      {fault ? (
        <Status tone={method.status === "pending" ? "wait" : "fail"}>{i18n._(fault)}</Status>
      ) : null}
      {method.isHidden ? (
        <small>
          <Trans>Hidden at checkout</Trans>
        </small>
      ) : null}
    </>
  );
}

/** As short as a mark on a card. */
function faceName(brand: string): string {
  return brand.length > 10 ? brand.slice(0, 10) : brand;
}

function addressLine({ name, billingAddress: at }: SavedMethod): string {
  const parts = [name, at.streetAddress1, at.streetAddress2, at.city, at.state, at.postalCode];
  return [...parts, at.countryCode].filter(Boolean).join(", ");
}
