import { type RefObject, useEffect } from "react";
import { onLeft } from "~/shared/session/session";
import { storeOf } from "~/shared/store";
import { fetchedDialog } from "~/shared/ui/fetched";

const PaletteModal = fetchedDialog(() => import("./palette-modal"));

/** What was pressed for it, if no key was. */
const wanted = storeOf<RefObject<HTMLElement | null> | undefined>(undefined);

export const openPalette = (button: HTMLElement | null = null) => wanted.set({ current: button });

const closePalette = () => wanted.set(undefined);

onLeft(closePalette);

/** Ctrl or Cmd with K opens it; so does `/` where the page has no search of its own to go to. Listens from the first moment; the dialog is fetched when it is wanted. */
export function Palette() {
  useEffect(() => {
    function press(event: globalThis.KeyboardEvent) {
      const combined = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k";
      const slash = event.key === "/" && !isTyping(event.target);
      if (!combined && !slash) return;
      event.preventDefault();
      const search = slash ? searchOfPage() : null;
      search?.focus();
      if (!search || document.activeElement !== search) openPalette();
    }
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
  const button = wanted.use();
  return button ? <PaletteModal button={button} onClose={closePalette} /> : null;
}

/** That behind a dialog is out of reach. */
function searchOfPage(): HTMLElement | null {
  const isCovered = document.querySelector("[aria-modal]");
  return isCovered ? null : document.querySelector<HTMLElement>("search [role=combobox]");
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
