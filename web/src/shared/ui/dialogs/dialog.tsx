import { useLingui } from "@lingui/react/macro";
import { Modal } from "@mantine/core";
import { createContext, type ReactNode, use, useEffect, useState } from "react";
import "./overlays";

type DialogProps = {
  title: ReactNode;
  children: ReactNode;
  /** Without it nothing but what stands in it ends it. */
  onClose?: () => void;
  /** Something is under way that must not be left. */
  busy?: boolean;
  size?: string | number;
  fullScreen?: boolean;
};

/** Tells the dialog that another one opens from whether it is beneath one. */
const Beneath = createContext<((isBeneath: boolean) => void) | undefined>(undefined);

/** What stands over the page for as long as it is rendered. Escape, the cross and a press beside it close it, and Escape
 * not the dialog that it was opened from. */
export function Dialog({ onClose, busy = false, fullScreen, children, ...rest }: DialogProps) {
  const { t } = useLingui();
  useFocusBack();
  const [isBeneath, setBeneath] = useState(false);
  const tellBelow = use(Beneath);
  useEffect(() => {
    tellBelow?.(true);
    return () => tellBelow?.(false);
  }, [tellBelow]);
  return (
    <Modal
      opened
      fullScreen={fullScreen}
      styles={{ title: { fontWeight: 600 } }}
      closeOnEscape={!isBeneath}
      withCloseButton={onClose !== undefined}
      onClose={() => (busy ? undefined : onClose?.())}
      closeButtonProps={{
        "aria-label": t`Close`,
        disabled: busy,
        size: fullScreen ? "xl" : undefined,
      }}
      {...rest}
    >
      <Beneath value={setBeneath}>{children}</Beneath>
    </Modal>
  );
}

/** When this goes, the focus goes back to what had it before; where that is gone too, to the page. */
function useFocusBack(): void {
  const [before] = useState(opener);
  useEffect(
    () => () => {
      const held = document.activeElement;
      if (held && held !== document.body) return; // somebody wanted it elsewhere
      const back = before?.isConnected ? before : document.getElementById("main");
      back?.focus({ preventScroll: true });
    },
    [before],
  );
}

/** What has the focus; for an entry of a menu, which closes, the button of that menu. */
function opener(): HTMLElement | undefined {
  const held = document.activeElement;
  if (!(held instanceof HTMLElement) || held === document.body) return undefined;
  const menu = held.closest("[role=menu]");
  return menu
    ? (document.querySelector<HTMLElement>(`[aria-controls="${menu.id}"]`) ?? undefined)
    : held;
}
