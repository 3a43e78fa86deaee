import { type ComponentType, useEffect } from "react";
import { tellProblem } from "~/shared/alerts/alerts";
import { storeOf } from "~/shared/store";

const shown = storeOf<ComponentType<{ onClose: () => void }> | undefined>(undefined);

/** The dialog is fetched first: one that cannot be fetched is told of, and the page stays. */
export function openPalette(fetched = () => import("./palette-modal")): Promise<void> {
  return fetched()
    .then((modal) => shown.set(modal.default))
    .catch(tellProblem);
}

/** Ctrl or Cmd with K, or `/`, opens it. Listens from the first moment; the dialog is fetched when it is wanted. */
export function Palette() {
  useEffect(() => {
    function press(event: globalThis.KeyboardEvent) {
      const combined = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k";
      const slash = event.key === "/" && !isTyping(event.target);
      if (!combined && !slash) return;
      event.preventDefault();
      void openPalette();
    }
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
  const Modal = shown.use();
  return Modal ? <Modal onClose={() => shown.set(undefined)} /> : null;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
